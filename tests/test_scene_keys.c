/* Scene files that are wrong, one key at a time: unknown keys, wrong types, values out of range,
   names of nothing, features of later versions; and values that are neutral. */
#include "scene_base.h"

static void unknown_keys_name_their_path_and_the_nearest_known_key(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"gravty=[0,0,0]", ABUT_BAD_FORMAT, "gravty", "nearest: gravity"},
      {"time.stp=0.1", ABUT_BAD_FORMAT, "time.stp", "nearest: step"},
      {"time.frame_rat=24", ABUT_BAD_FORMAT, "time.frame_rat", "nearest: frame_rate"},
      {"method.tolerence=1", ABUT_BAD_FORMAT, "method.tolerence", "nearest: tolerance"},
      {"linear_solver.max_iteration=1", ABUT_BAD_FORMAT, "linear_solver.max_iteration",
       "nearest: max_iterations"},
      {"contact.dhatt=1", ABUT_BAD_FORMAT, "contact.dhatt", "nearest: dhat"},
      {"contact.pairs=[{'a': 'cloth', 'b': 'bin', 'fricton': 1}]", ABUT_BAD_FORMAT,
       "contact.pairs[0].fricton", "nearest: friction"},
      {"contact.stiffness={'ofset_ipc': 1}", ABUT_BAD_FORMAT, "contact.stiffness.ofset_ipc",
       "nearest: offset_ipc"},
      {"materials.film.youngs_modulus_=1", ABUT_BAD_FORMAT, "materials.film.youngs_modulus_",
       "nearest: youngs_modulus"},
      {"objects[0].materiel='film'", ABUT_BAD_FORMAT, "objects[0].materiel", "nearest: material"},
      {"objects[0].motion={}", ABUT_BAD_FORMAT, "objects[0].motion", "there is no such key"},
      {"objects[0].transform.rotte=1", ABUT_BAD_FORMAT, "objects[0].transform.rotte",
       "nearest: rotate"},
      {"objects[0].mesh.cell=1", ABUT_BAD_FORMAT, "objects[0].mesh.cell", "nearest: cells"},
      {"objects[0].rest={'mash': 1}", ABUT_BAD_FORMAT, "objects[0].rest.mash", "nearest: mesh"},
      {"objects[1].radius=[1]", ABUT_BAD_FORMAT, "objects[1].radius", "nearest: radii"},
      {"objects[1].mesh='a.obj'", ABUT_BAD_FORMAT, "objects[1].mesh", "there is no such key"},
      {"objects[2].velocity=[0,0,1]", ABUT_BAD_FORMAT, "objects[2].velocity",
       "there is no such key"},
      {"objects[2].motion={'key': []}", ABUT_BAD_FORMAT, "objects[2].motion.key", "nearest: keys"},
      {"objects[2].motion={'keys': [{'t': 0, 'translat': 1}]}", ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0].translat", "nearest: translate"},
      {"objects[3].nromal=[0,0,1]", ABUT_BAD_FORMAT, "objects[3].nromal", "nearest: normal"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertces': 'all'}]", ABUT_BAD_FORMAT,
       "controls[0].vertces", "nearest: vertices"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'indexes': [0]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.indexes", "nearest: indices"},
      {"controls=[{'kind': 'drag', 'object': 'cloth', 'rates': 1}]", ABUT_BAD_FORMAT,
       "controls[0].rates", "nearest: rate"},
      {"controls=[{'kind': 'require', 'object': 'cloth', 'at': 1, 'over': [[0,1]]}]",
       ABUT_BAD_FORMAT, "controls[0].over", "nearest: above"},
      {"output.checkpoint_evry=5", ABUT_BAD_FORMAT, "output.checkpoint_evry",
       "nearest: checkpoint_every"},
  };
  assert_all_refused(list);
}

static void a_key_that_another_kind_or_shape_has_is_refused(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"objects[0].mesh.radius=1", ABUT_BAD_FORMAT, "objects[0].mesh.radius", "has no radius"},
      {"objects[0].mesh.tets=5", ABUT_BAD_FORMAT, "objects[0].mesh.tets", "has no tets"},
      {"objects[0].mesh.folded=true", ABUT_BAD_FORMAT, "objects[0].mesh.folded", "has no folded"},
      {"objects[4].mesh.pattern='alternate'", ABUT_BAD_FORMAT, "objects[4].mesh.pattern",
       "has no pattern"},
      {"objects[0].mesh={'shape': 'disc', 'cells': 2}", ABUT_BAD_FORMAT, "objects[0].mesh",
       "needs radius"},
      {"objects[3].transform={}", ABUT_BAD_FORMAT, "objects[3].transform", "there is no such key"},
      {"linear_solver={'name': 'cholesky', 'tolerance': 1e-8}", ABUT_BAD_FORMAT,
       "linear_solver.tolerance", "is a direct solver, which has no tolerance"},
      {"linear_solver={'name': 'dense', 'max_iterations': 5}", ABUT_BAD_FORMAT,
       "linear_solver.max_iterations", "\"dense\" is a direct solver, which has no max_iterations"},
      {"linear_solver.tolerance=1e-3", ABUT_BAD_FORMAT, "linear_solver.tolerance",
       "\"auto\" means cholesky is a direct solver"},
      {"controls=[{'kind': 'drag', 'object': 'cloth', 'rate': 1, 'stiffness': 2}]", ABUT_BAD_FORMAT,
       "controls[0].stiffness", "there is no such key"},
      {"controls=[{'kind': 'solver', 'object': 'cloth'}]", ABUT_BAD_FORMAT, "controls[0].object",
       "there is no such key"},
  };
  assert_all_refused(list);
}

static void wrong_types_say_what_is_there_and_what_must_be(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"gravity=9.81", ABUT_BAD_FORMAT, "gravity", "this is a number; it must be a list of three"},
      {"gravity=[0,0]", ABUT_BAD_FORMAT, "gravity", "three numbers"},
      {"gravity=[0,0,'down']", ABUT_BAD_FORMAT, "gravity[2]", "this is text"},
      {"time=1", ABUT_BAD_FORMAT, "time", "an object"},
      {"time.step='fast'", ABUT_BAD_FORMAT, "time.step", "this is text; it must be a number"},
      {"time.end=null", ABUT_BAD_FORMAT, "time.end", "this is null"},
      {"threads=1.5", ABUT_BAD_FORMAT, "threads", "not a whole number"},
      {"method=5", ABUT_BAD_FORMAT, "method", "an object"},
      {"method.at_cap=5", ABUT_BAD_FORMAT, "method.at_cap", "text"},
      {"contact=[]", ABUT_BAD_FORMAT, "contact", "this is a list; it must be an object"},
      {"contact.dhat='small'", ABUT_BAD_FORMAT, "contact.dhat", "a number or \"auto\""},
      {"contact.self_contact=1", ABUT_BAD_FORMAT, "contact.self_contact", "true or false"},
      {"contact.pairs={}", ABUT_BAD_FORMAT, "contact.pairs", "list"},
      {"contact.pairs=[5]", ABUT_BAD_FORMAT, "contact.pairs[0]", "an object"},
      {"contact.stiffness=true", ABUT_BAD_FORMAT, "contact.stiffness", "number"},
      {"contact.stiffness={'ipc': 'soft'}", ABUT_BAD_FORMAT, "contact.stiffness.ipc", "auto"},
      {"materials=[]", ABUT_BAD_FORMAT, "materials", "object"},
      {"materials.film=1", ABUT_BAD_FORMAT, "materials.film", "an object"},
      {"objects={}", ABUT_BAD_FORMAT, "objects", "list"},
      {"objects[0]=5", ABUT_BAD_FORMAT, "objects[0]", "object"},
      {"objects[0].name=5", ABUT_BAD_FORMAT, "objects[0].name", "text"},
      {"objects[0].mesh=5", ABUT_BAD_FORMAT, "objects[0].mesh", "a path or a shape"},
      {"objects[0].mesh.size=1", ABUT_BAD_FORMAT, "objects[0].mesh.size", "2 numbers"},
      {"objects[0].mesh.cells=[2,2,2]", ABUT_BAD_FORMAT, "objects[0].mesh.cells", "2 numbers"},
      {"objects[0].mesh.cells=[2,0.5]", ABUT_BAD_FORMAT, "objects[0].mesh.cells", "whole"},
      {"objects[0].transform.rotate=90", ABUT_BAD_FORMAT, "objects[0].transform.rotate",
       "[axis, degrees]"},
      {"objects[0].transform.rotate=[[0,0,0],90]", ABUT_BAD_FORMAT,
       "objects[0].transform.rotate[0]", "axis that is not zero"},
      {"objects[0].transform.scale=[1,2]", ABUT_BAD_FORMAT, "objects[0].transform.scale", "three"},
      {"objects[0].rest='flt'", ABUT_BAD_FORMAT, "objects[0].rest", "nearest: flat"},
      {"objects[1].centers=[[0,0]]", ABUT_BAD_FORMAT, "objects[1].centers[0]", "three"},
      {"objects[1].radii=[0.1]", ABUT_BAD_FORMAT, "objects[1].radii", "list of 2 numbers"},
      {"objects[2].motion=5", ABUT_BAD_FORMAT, "objects[2].motion", "an object"},
      {"controls={}", ABUT_BAD_FORMAT, "controls", "list"},
      {"controls=[5]", ABUT_BAD_FORMAT, "controls[0]", "kind is missing"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': [0]}]", ABUT_BAD_FORMAT,
       "controls[0].vertices", "\"all\" or one of"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'from': 'now'}]", ABUT_BAD_FORMAT,
       "controls[0].from", "a number"},
      {"output.checkpoint_every='often'", ABUT_BAD_FORMAT, "output.checkpoint_every", "whole"},
      {"name=5", ABUT_BAD_FORMAT, "name", "text"},
  };
  assert_all_refused(list);
}

static void values_out_of_range_are_refused(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"time.step=0", ABUT_BAD_FORMAT, "time.step", "positive"},
      {"time.step=-1", ABUT_BAD_FORMAT, "time.step", "positive"},
      {"time.end=-1", ABUT_BAD_FORMAT, "time.end", "zero or more"},
      {"time.frame_rate=0", ABUT_BAD_FORMAT, "time.frame_rate", "positive"},
      {"threads=-1", ABUT_BAD_FORMAT, "threads", "out of range"},
      {"method.max_newton=0", ABUT_BAD_FORMAT, "method.max_newton", "out of range"},
      {"method.epsilon=1.5", ABUT_BAD_FORMAT, "method.epsilon", "between 0 and 1"},
      {"linear_solver={'name': 'pcg', 'tolerance': 1}", ABUT_BAD_FORMAT, "linear_solver.tolerance",
       "1 is out of range; it must be between 0 and 1, both excluded"},
      {"linear_solver={'name': 'pcg', 'tolerance': 0}", ABUT_BAD_FORMAT, "linear_solver.tolerance",
       "between 0 and 1"},
      {"linear_solver={'name': 'pcg_jacobi', 'tolerance': 1e30}", ABUT_BAD_FORMAT,
       "linear_solver.tolerance", "between 0 and 1"},
      {"contact.dhat=0", ABUT_BAD_FORMAT, "contact.dhat", "positive"},
      {"contact.gap=-1e-3", ABUT_BAD_FORMAT, "contact.gap", "zero or more"},
      {"contact.friction=-0.1", ABUT_BAD_FORMAT, "contact.friction", "zero or more"},
      {"contact.stiffness=0", ABUT_BAD_FORMAT, "contact.stiffness", "positive"},
      {"materials.film.density=0", ABUT_BAD_FORMAT, "materials.film.density", "positive"},
      {"materials.film.thickness=-1", ABUT_BAD_FORMAT, "materials.film.thickness", "positive"},
      {"objects[0].transform.scale=0", ABUT_BAD_FORMAT, "objects[0].transform.scale", "flattens"},
      {"objects[0].weld=-1", ABUT_BAD_FORMAT, "objects[0].weld", "zero or more"},
      {"objects[0].mesh.size=[1,0]", ABUT_BAD_FORMAT, "objects[0].mesh.size", "positive"},
      {"objects[0].mesh.cells=[0,1]", ABUT_BAD_FORMAT, "objects[0].mesh.cells", "out of range"},
      {"objects[1].radii=[0.1,0]", ABUT_BAD_FORMAT, "objects[1].radii[1]", "positive"},
      {"objects[1].density=0", ABUT_BAD_FORMAT, "objects[1].density", "positive"},
      {"objects[1].transform.scale=[1,1,2]", ABUT_BAD_FORMAT, "objects[1].radii", "one number"},
      {"objects[3].normal=[0,0,0]", ABUT_BAD_FORMAT, "objects[3].normal", "not be zero"},
      {"objects[4].mesh.tets=7", ABUT_BAD_FORMAT, "objects[4].mesh", "tets"},
      {"controls=[{'kind': 'support', 'object': 'cloth', 'stiffness': 0}]", ABUT_BAD_FORMAT,
       "controls[0].stiffness", "positive"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'from': 2, 'until': 1}]", ABUT_BAD_FORMAT,
       "controls[0]", "until (1 s) must come after from (2 s)"},
  };
  assert_all_refused(list);
}

static void controls_and_names_that_mean_nothing_are_refused(void **state)
{
  (void)state;
  char longest[256];
  memset(longest, 'n', sizeof longest);
  longest[255] = '\0';
  refusal list[] = {
      {"controls=[{'kind': 'tie', 'object': 'bin', 'pairs': [[0,1]], 'stiffness': 1}]",
       ABUT_BAD_FORMAT, "controls[0].object", "obstacles and planes move by their own motion"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'pairs': [], 'stiffness': 1}]",
       ABUT_BAD_FORMAT, "controls[0].pairs", "the list is empty"},
      {"controls=[{'kind': 'require', 'object': 'cloth', 'above': [], 'at': 0}]", ABUT_BAD_FORMAT,
       "controls[0].above", "the list is empty"},
      {"controls=[{'kind': 'solver', 'from': 0.01}]", ABUT_BAD_FORMAT, "controls[0]",
       "needs tolerance, position_tolerance or max_newton"},
      {"objects[0].name=''", ABUT_BAD_FORMAT, "objects[0].name", "not empty"},
      {"objects[0].name='*'", ABUT_BAD_FORMAT, "objects[0].name", "every object"},
      {"objects[0].name=", ABUT_BAD_FORMAT, "objects[0].name", "not empty"},
      {print_text("objects[0].name=%s", longest), ABUT_BAD_FORMAT, "objects[0].name",
       "longer than 200 bytes"},
      {"controls=[{'kind': 'require', 'object': 'cloth', 'above': [[0,1]], 'at': '.5'}]",
       ABUT_BAD_FORMAT, "controls[0].at", "JSON writes this number as 0.5"},
  };
  assert_all_refused(list);
  longest[200] = '\0';
  base_with(print_text("objects[0].name=%s", longest), NULL);
}

/* scenes as run had the options of pcg written out for every solver */
static void a_scene_as_run_may_have_options_of_a_direct_solver(void **state)
{
  (void)state;
  base_with("version='0.1.0'", "linear_solver={'name': 'auto', 'tolerance': 1e-8}", NULL);
}

static void moduli_out_of_range_name_their_key(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"materials.film.youngs_modulus=0", ABUT_BAD_FORMAT, "materials.film.youngs_modulus",
       "positive"},
      {"materials.film.poissons_ratio=0.5", ABUT_BAD_FORMAT, "materials.film.poissons_ratio",
       "0.5"},
      {"materials.jelly.poissons_ratio=-1", ABUT_BAD_FORMAT, "materials.jelly.poissons_ratio",
       "-1"},
      {"materials.film={'model': 'stvk', 'poissons_ratio': 0.3, 'density': 1, 'thickness': 1}",
       ABUT_BAD_FORMAT, "materials.film.youngs_modulus", "missing"},
      {"materials.film={'model': 'stvk', 'youngs_modulus': 1, 'density': 1, 'thickness': 1}",
       ABUT_BAD_FORMAT, "materials.film.poissons_ratio", "missing"},
      {"materials.film={'model': 'stvk', 'youngs_modulus': 1, 'poissons_ratio': 0.3, "
       "'thickness': 1}",
       ABUT_BAD_FORMAT, "materials.film.density", "missing"},
      {"materials.film={'model': 'stvk', 'youngs_modulus': 1, 'poissons_ratio': 0.3, "
       "'density': 1}",
       ABUT_BAD_FORMAT, "materials.film.thickness", "missing"},
      {"materials.film={'youngs_modulus': 1, 'poissons_ratio': 0.3, 'density': 1, "
       "'thickness': 1}",
       ABUT_BAD_FORMAT, "materials.film.model", "missing"},
  };
  assert_all_refused(list);
}

static void keys_that_must_be_there_are_missed_by_name(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"objects[0]={'kind': 'shell'}", ABUT_BAD_FORMAT, "objects[0].name", "missing"},
      {"objects[0]={'name': 'a'}", ABUT_BAD_FORMAT, "objects[0]", "kind is missing"},
      {"objects[0]={'name': 'a', 'kind': 'shell', 'material': 'film'}", ABUT_BAD_FORMAT,
       "objects[0].mesh", "missing"},
      {"objects[0]={'name': 'a', 'kind': 'shell', 'mesh': {'shape': 'grid', 'size': [1,1], "
       "'cells': [1,1]}}",
       ABUT_BAD_FORMAT, "objects[0].material", "needs a material"},
      {"objects[1]={'name': 'a', 'kind': 'spheres', 'centers': []}", ABUT_BAD_FORMAT,
       "objects[1].radii", "missing"},
      {"objects[0].mesh={'size': [1,1]}", ABUT_BAD_FORMAT, "objects[0].mesh.shape", "missing"},
      {"contact.pairs=[{'a': 'cloth'}]", ABUT_BAD_FORMAT, "contact.pairs[0].b", "missing"},
      {"controls=[{'kind': 'pin'}]", ABUT_BAD_FORMAT, "controls[0].object", "missing"},
      {"controls=[{'kind': 'support', 'object': 'cloth'}]", ABUT_BAD_FORMAT,
       "controls[0].stiffness", "missing"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1}]", ABUT_BAD_FORMAT,
       "controls[0].pairs", "missing"},
      {"controls=[{'kind': 'drag', 'object': 'cloth'}]", ABUT_BAD_FORMAT, "controls[0].rate",
       "missing"},
      {"controls=[{'kind': 'force', 'object': 'cloth'}]", ABUT_BAD_FORMAT, "controls[0].value",
       "missing"},
      {"controls=[{'kind': 'require', 'object': 'cloth', 'at': 0}]", ABUT_BAD_FORMAT,
       "controls[0].above", "missing"},
      {"objects[2].motion={'keys': [{'translate': [0,0,1]}]}", ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0].t", "missing"},
  };
  assert_all_refused(list);
}

static void names_of_nothing_give_the_nearest_name(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"objects[0].material='flim'", ABUT_BAD_FORMAT, "objects[0].material", "nearest: film"},
      {"objects[0].kind='shel'", ABUT_BAD_FORMAT, "objects[0].kind", "nearest: shell"},
      {"objects[0].mesh.shape='grd'", ABUT_BAD_FORMAT, "objects[0].mesh.shape", "nearest: grid"},
      {"objects[0].mesh.pattern='equal'", ABUT_BAD_FORMAT, "objects[0].mesh.pattern",
       "equilateral"},
      {"materials.film.model='neohookean'", ABUT_UNSUPPORTED, "materials.film.model",
       "neo_hookean"},
      {"materials.film.model='fixed_corotated'", ABUT_UNSUPPORTED, "materials.film.model",
       "which a shell cannot have; available: stvk, neo_hookean"},
      {"materials.film.hinge_angle='wrapp'", ABUT_BAD_FORMAT, "materials.film.hinge_angle", "wrap"},
      {"method='ipcc'", ABUT_BAD_FORMAT, "method.name", "nearest: ipc"},
      {"method.stop='residuum'", ABUT_BAD_FORMAT, "method.stop", "\"residual\" or \"toi\""},
      {"method.at_cap='accpt'", ABUT_BAD_FORMAT, "method.at_cap", "\"halve\" or \"accept\""},
      {"linear_solver='choleski'", ABUT_UNSUPPORTED, "linear_solver.name", "nearest: cholesky"},
      {"contact.pairs=[{'a': 'cloth', 'b': 'beds', 'enabled': false}]", ABUT_BAD_FORMAT,
       "contact.pairs[0].b", "nearest: beads"},
      {"controls=[{'kind': 'pn', 'object': 'cloth'}]", ABUT_BAD_FORMAT, "controls[0].kind",
       "nearest: pin"},
      {"controls=[{'kind': 'pin', 'object': 'clot'}]", ABUT_BAD_FORMAT, "controls[0].object",
       "nearest: cloth"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'group': 'hem'}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.group", "no group \"hem\""},
      {"objects[1].name='cloth'", ABUT_BAD_FORMAT, "objects[1].name", "the same name"},
  };
  assert_all_refused(list);
}

static void features_of_later_versions_are_refused_by_name(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"objects[0].kind='rod'", ABUT_UNSUPPORTED, "objects[0].kind", "\"rod\" are not available"},
      {"objects[1].kind='particles'", ABUT_UNSUPPORTED, "objects[1].kind", "\"particles\""},
      {"objects[4].kind='affine'", ABUT_UNSUPPORTED, "objects[4].kind", "\"affine\""},
      {"controls=[{'kind': 'pressure', 'object': 'cube', 'value': 200}]", ABUT_UNSUPPORTED,
       "controls[0].kind", "pressure is not available"},
      {"materials.film.damping=0.1", ABUT_UNSUPPORTED, "materials.film.damping",
       "damping is not available"},
      {"objects[0].mesh='a.ply'", ABUT_UNSUPPORTED, "objects[0].mesh", ".ply"},
      {"objects[0].mesh='a.STL'", ABUT_UNSUPPORTED, "objects[0].mesh", ".stl"},
      {"objects[0].mesh='a.vtk'", ABUT_UNSUPPORTED, "objects[0].mesh", ".vtk"},
      {"objects[0].mesh='a.vtu'", ABUT_UNSUPPORTED, "objects[0].mesh", ".vtu"},
      {"objects[0].mesh='a.node'", ABUT_UNSUPPORTED, "objects[0].mesh", ".node"},
      {"objects[0].mesh='a.ele'", ABUT_UNSUPPORTED, "objects[0].mesh", ".ele"},
      {"objects[0].mesh='a.blend'", ABUT_UNSUPPORTED, "objects[0].mesh", "a.blend"},
      {"method='gipc'", ABUT_UNSUPPORTED, "method.name", "\"gipc\" is not available"},
      {"method='gipc'", ABUT_UNSUPPORTED, "method.name", "\"gipc\""},
      {"method.boundaries='lag'", ABUT_UNSUPPORTED, "method.boundaries", "barrier_free"},
      {"method.log_power=2", ABUT_UNSUPPORTED, "method.log_power", "an option of gipc"},
      {"method.filter=1", ABUT_UNSUPPORTED, "method.filter", "gipc, not of ipc"},
      {"method.c_mu=1", ABUT_UNSUPPORTED, "method.c_mu", "barrier_free"},
      {"method.decay=1", ABUT_UNSUPPORTED, "method.decay", "barrier_free"},
      {"method.delta=1", ABUT_UNSUPPORTED, "method.delta", "barrier_free"},
      {"method.k_max=1", ABUT_UNSUPPORTED, "method.k_max", "barrier_free"},
      {"method.finish_iterations=1", ABUT_UNSUPPORTED, "method.finish_iterations", "barrier_free"},
      {"method.push_speed=1", ABUT_UNSUPPORTED, "method.push_speed", "barrier_free"},
      {"objects[2].motion={'frames': 'p_%04d.obj', 'rate': 24}", ABUT_UNSUPPORTED,
       "objects[2].motion.frames", "not available"},
      {"output.format='gltf'", ABUT_UNSUPPORTED, "output.format", "vtkhdf"},
      {"abut=2", ABUT_UNSUPPORTED, "abut", "version 1 of the format, not 2"},
  };
  assert_all_refused(list);
}

static void neutral_values_are_accepted(void **state)
{
  (void)state;
  static const char *const list[] = {
      "materials.film.damping=0",
      "method.boundaries='exact'",
      "method={'name': 'offset_ipc'}",
      "linear_solver='auto'",
      "linear_solver={'name': 'pcg', 'tolerance': 1e-10}",
      "contact.stiffness={'gipc': 1e9, 'ipc': 'auto', 'barrier_free': 3}",
      "objects[0].weld=0",
      "objects[2].material='anything'",
      "objects[3].material='film'",
      "objects[1].material='glass'",
      "objects[0].mesh.pattern='alternate'",
      "objects[4].mesh.tets=6",
      "method.stop='toi'",
      "controls=[{'kind': 'drag', 'object': '*', 'rate': 0, 'from': null, 'until': null}]",
      "version='0.0.9'",
      "output.checkpoint_every=0",
      "contact.pairs=[{'a': 'glass', 'b': 'film'}, {'a': 'cloth', 'b': 'film'}]",
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    abut_scene *s = base();
    must(s, try_setting(s, "objects[1].material='glass'"));
    must(s, try_setting(s, list[k]));
    must(s, abut_step(s, 1, NULL));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(unknown_keys_name_their_path_and_the_nearest_known_key),
      IN_FOLDER(a_key_that_another_kind_or_shape_has_is_refused),
      IN_FOLDER(wrong_types_say_what_is_there_and_what_must_be),
      IN_FOLDER(values_out_of_range_are_refused),
      IN_FOLDER(controls_and_names_that_mean_nothing_are_refused),
      IN_FOLDER(a_scene_as_run_may_have_options_of_a_direct_solver),
      IN_FOLDER(moduli_out_of_range_name_their_key),
      IN_FOLDER(keys_that_must_be_there_are_missed_by_name),
      IN_FOLDER(names_of_nothing_give_the_nearest_name),
      IN_FOLDER(features_of_later_versions_are_refused_by_name),
      IN_FOLDER(neutral_values_are_accepted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
