/* Objects of a scene file: shapes, transforms, velocities, rest shapes, welding, selections. */
#include "scene_base.h"

#include "api/handle.h"

static abut_scene *one_object(const char *object)
{
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'gravity': [0,0,0], 'materials': {'film': {'model': 'stvk', "
             "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150, 'thickness': 1e-3},"
             "'jelly': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, "
             "'density': 1000}}, 'objects': [%s]}",
             object));
  must(s, abut_step(s, 0, NULL));
  return s;
}

static void every_shape_has_the_vertices_and_cells_it_promises(void **state)
{
  (void)state;
  static const struct {
    const char *kind, *mesh;
    int vertices, cells;
  } shape[] = {
      {"shell", "'shape': 'grid', 'size': [2,1], 'cells': [4,3]", 20, 24},
      {"shell", "'shape': 'grid', 'size': [2,1], 'cells': [4,3], 'pattern': 'equilateral'", 20, 24},
      {"shell", "'shape': 'disc', 'radius': 1, 'cells': 3", 37, 54},
      {"shell", "'shape': 'tube', 'radius': 1, 'height': 2, 'cells': [8,3]", 32, 48},
      {"shell", "'shape': 'box', 'size': [1,2,3], 'cells': [2,2,2]", 26, 48},
      {"obstacle", "'shape': 'box', 'size': [1,2,3], 'cells': [1,1,1]", 8, 12},
      {"solid", "'shape': 'box', 'size': [1,2,3], 'cells': [2,2,2]", 27, 48},
      {"solid", "'shape': 'box', 'size': [1,2,3], 'cells': [2,2,2], 'tets': 5", 27, 40},
      {"solid", "'shape': 'ball', 'radius': 1, 'cells': 2", 55, 160},
      {"shell", "'shape': 'ball', 'radius': 1, 'cells': 2", 42, 80},
      {"obstacle", "'shape': 'sphere', 'radius': 1, 'cells': 3", 92, 180},
      {"obstacle", "'shape': 'disc', 'radius': 1, 'cells': [2]", 19, 24},
  };
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    abut_scene *s = one_object(
        print_text("{'name': 'a', 'kind': '%s', 'mesh': {%s}%s}", shape[k].kind, shape[k].mesh,
                   strcmp(shape[k].kind, "shell") == 0   ? ", 'material': 'film'"
                   : strcmp(shape[k].kind, "solid") == 0 ? ", 'material': 'jelly'"
                                                         : ""));
    assert_int_equal(abut_vertex_count(s, abut_find_body(s, "a")), shape[k].vertices);
    assert_int_equal(s->sim.model.object[0].cells, shape[k].cells);
    /* centred on the origin */
    const double *x = positions(s, "a");
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int v = 0; v < 3 * shape[k].vertices; v++) {
      low[v % 3] = fmin(low[v % 3], x[v]);
      high[v % 3] = fmax(high[v % 3], x[v]);
    }
    for (int c = 0; c < 3; c++) assert_near(low[c] + high[c], 0, 1e-12);
  }
  abut_scene *s = parse_scene(quoted("{'abut': 1, 'objects': [{'name': 'a', 'kind': 'solid', "
                                     "'mesh': {'shape': 'sphere', 'radius': 1, 'cells': 1}}]}"));
  assert_int_equal(abut_step(s, 0, NULL), ABUT_BAD_FORMAT);
  assert_contains(abut_last_error(s).message, "no tetrahedra");
}

/* row by row along x: vertex 6 of a 4 x 3 grid is the second of the second row */
static void grid_vertices_run_row_by_row_along_x(void **state)
{
  (void)state;
  abut_scene *s = one_object("{'name': 'a', 'kind': 'shell', 'material': 'film', 'mesh': "
                             "{'shape': 'grid', 'size': [4,3], 'cells': [4,3]}}");
  const double *x = positions(s, "a") + 3 * 6;
  assert_near(x[0], -1, 1e-15);
  assert_near(x[1], -0.5, 1e-15);
  assert_true(x[2] == 0);
}

static void transforms_scale_then_rotate_then_translate(void **state)
{
  (void)state;
  write_text("p.obj", "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
  abut_scene *s =
      one_object("{'name': 'a', 'kind': 'obstacle', 'mesh': 'p.obj', 'transform': "
                 "{'translate': [10,20,30], 'rotate': [[0,0,2], 90], 'scale': [2,3,4]}}");
  static const double wanted[9] = {10, 22, 30, 7, 20, 30, 10, 20, 34};
  const double *x = positions(s, "a");
  for (int c = 0; c < 9; c++) assert_near(x[c], wanted[c], 1e-14);
  s = one_object("{'name': 'b', 'kind': 'spheres', 'centers': [[1,0,0]], 'radii': [0.5], "
                 "'density': 1, 'transform': {'scale': -2, 'rotate': [[0,1,0], 90], "
                 "'translate': [0,0,7]}}");
  x = positions(s, "b");
  assert_near(x[2], 9, 1e-14);
  assert_true(s->def.object[0].radius[0] == 1);
}

static void a_mirrored_solid_keeps_its_volume_and_moves_not(void **state)
{
  (void)state;
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    abut_scene *s = one_object(
        print_text("{'name': 'a', 'kind': 'solid', 'material': 'jelly', 'mesh': {'shape': 'box', "
                   "'size': [1,1,1], 'cells': [2,2,2]}, 'transform': {'scale': [%d,1,1]}}",
                   mirrored ? -1 : 1));
    double mass = 0, before[81];
    for (int32_t v = 0; v < s->sim.model.system.dynamic; v++) mass += s->sim.model.mass[v];
    assert_close(mass, 1000.0, 1e-12);
    memcpy(before, positions(s, "a"), sizeof before);
    take_steps(s, 5);
    const double *x = positions(s, "a");
    for (int c = 0; c < 81; c++) assert_near(x[c], before[c], 1e-12);
    assert_string_equal(notes, "");
  }
  write_text("s.json",
             quoted("{'abut': 1, 'materials': {'j': {'model': 'neo_hookean', 'youngs_modulus': 1e5,"
                    "'poissons_ratio': 0.3, 'density': 1}}, 'objects': [{'name': 'a', 'kind': "
                    "'solid', 'material': 'j', 'mesh': {'shape': 'box', 'size': [1,1,1], 'cells': "
                    "[2,2,2]}, 'transform': {'scale': [1,1,-1]}}]}"));
  outcome o = program("check", "s.json", NULL);
  assert_exit(o, 0);
  assert_contains(o.out, "0 errors, 0 warnings");
}

static void velocities_are_of_the_body_and_about_its_centre_of_mass(void **state)
{
  (void)state;
  abut_scene *s =
      one_object("{'name': 'a', 'kind': 'shell', 'material': 'film', 'mesh': "
                 "{'shape': 'grid', 'size': [2,2], 'cells': [1,1]}, 'velocity': [1,0,2],"
                 "'angular_velocity': [0,0,3], 'transform': {'translate': [5,0,0]}}");
  const double *v = abut_velocities(s, abut_find_body(s, "a"));
  /* vertex 0 is at (-1, -1) from the centre */
  assert_near(v[0], 1 + 3, 1e-12);
  assert_near(v[1], -3, 1e-12);
  assert_near(v[2], 2, 1e-12);
  /* spheres: their centres turn about the common centre of mass */
  s = one_object("{'name': 'b', 'kind': 'spheres', 'centers': [[-1,0,0],[1,0,0]], "
                 "'radii': [0.1,0.1], 'density': 1, 'angular_velocity': [0,0,2]}");
  v = abut_velocities(s, abut_find_body(s, "b"));
  assert_near(v[1], -2, 1e-12);
  assert_near(v[4], 2, 1e-12);
}

/* ---- rest shapes ---- */

static const char bent[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nf 1 2 3\nf 2 4 3\n";
static const char flat[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";

static abut_scene *with_rest(const char *mesh, const char *rest)
{
  return one_object(
      print_text("{'name': 'a', 'kind': 'shell', 'material': 'film', 'mesh': '%s'%s}", mesh, rest));
}

static void rest_input_keeps_the_shape_flat_and_mesh_change_it(void **state)
{
  (void)state;
  write_text("bent.obj", bent);
  write_text("flat.obj", flat);
  abut_report r = take_steps(with_rest("bent.obj", ""), 3);
  assert_below(r.kinetic, 1e-25);
  r = take_steps(with_rest("bent.obj", ", 'rest': 'input'"), 3);
  assert_below(r.kinetic, 1e-25);
  r = take_steps(with_rest("bent.obj", ", 'rest': 'flat'"), 1);
  assert_true(r.bending > 0 && r.kinetic > 0);
  /* lengths and angles of the other mesh */
  r = take_steps(with_rest("bent.obj", ", 'rest': {'mesh': 'flat.obj'}"), 1);
  assert_true(r.bending > 0 && r.elastic > 0 && r.kinetic > 0);
  r = take_steps(with_rest("bent.obj", ", 'rest': {'mesh': 'bent.obj'}"), 3);
  assert_below(r.kinetic, 1e-25);
  /* masses too: the flat mesh is smaller */
  abut_scene *s = with_rest("bent.obj", ", 'rest': {'mesh': 'flat.obj'}");
  double mass = 0;
  for (int v = 0; v < 4; v++) mass += s->sim.model.mass[v];
  assert_close(mass, 0.15, 1e-12);
}

static void a_rest_mesh_must_have_the_same_vertices_and_cells(void **state)
{
  (void)state;
  static const char *const other[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n",
                                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4\nf 1 4 3\n"};
  write_text("bent.obj", bent);
  for (int k = 0; k < 3; k++) {
    write_text("other.obj", other[k]);
    abut_error e = refuse(quoted("{'abut': 1, 'materials': {'m': {'model': 'stvk', "
                                 "'youngs_modulus': 1, 'poissons_ratio': 0, 'density': 1, "
                                 "'thickness': 1}}, 'objects': [{'name': 'a', 'kind': 'shell', "
                                 "'material': 'm', 'mesh': 'bent.obj', "
                                 "'rest': {'mesh': 'other.obj'}}]}"),
                          ABUT_BAD_FORMAT);
    assert_string_equal(e.key, "objects[0].rest");
    assert_string_equal(e.object, "a");
  }
}

/* ---- welding ---- */

static void welding_bends_a_seam_and_keeps_the_files_numbers(void **state)
{
  (void)state;
  /* two panels with a seam between vertices 1, 2 and 4, 7; lifted at vertex 5 */
  write_text("panels.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 0\nv 2 0 0.3\nv 2 1 0\n"
                           "v 1 1 0\nf 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n");
  abut_scene *s = one_object("{'name': 'a', 'kind': 'shell', 'material': 'film', 'rest': 'flat', "
                             "'mesh': 'panels.obj', 'weld': 1e-9}");
  abut_report r = take_steps(s, 1);
  assert_int_equal(s->sim.model.system.vertices, 6);
  assert_true(r.bending > 0);
  const double *x = positions(s, "a");
  assert_memory_equal(x + 3 * 1, x + 3 * 4, 3 * sizeof *x);
  assert_memory_equal(x + 3 * 2, x + 3 * 7, 3 * sizeof *x);
  /* a control of either number acts on the one vertex */
  s = one_object("{'name': 'a', 'kind': 'shell', 'material': 'film', 'mesh': 'panels.obj', "
                 "'weld': 1e-9}");
  assert_int_equal(abut_vertex_count(s, abut_find_body(s, "a")), 8);
  /* welding away a triangle's edge is refused by the triangle's number */
  abut_error e = refuse(quoted("{'abut': 1, 'materials': {'m': {'model': 'stvk', "
                               "'youngs_modulus': 1, 'poissons_ratio': 0, 'density': 1, "
                               "'thickness': 1}}, 'objects': [{'name': 'a', 'kind': 'shell', "
                               "'material': 'm', 'mesh': 'panels.obj', 'weld': 1.1}]}"),
                        ABUT_BAD_GEOMETRY);
  assert_string_equal(e.object, "a");
  assert_contains(e.element, "triangle");
}

/* ---- selections ---- */

static const double *picked; /* positions after a step in which the force pushed the selection */

static int count_moved(const char *selection)
{
  abut_scene *s =
      one_object("{'name': 'grid', 'kind': 'shell', 'material': 'film', 'mesh': 'g.obj', "
                 "'transform': {'translate': [0,0,1]}}");
  abut_destroy(kept_scene[--kept_scenes]);
  s = parse_scene(quoted(
      "{'abut': 1, 'gravity': [0,0,0], 'materials': {'film': {'model': 'stvk', "
      "'youngs_modulus': 1e-6, 'poissons_ratio': 0.3, 'density': 150, 'thickness': 1e-3}}, "
      "'objects': [{'name': 'grid', 'kind': 'shell', 'material': 'film', 'mesh': 'g.obj', "
      "'transform': {'translate': [0,0,1]}}], 'controls': [{'kind': 'force', 'object': 'grid', "
      "'value': [0,0,1e-3]%s}]}",
      selection));
  take_steps(s, 1);
  picked = positions(s, "grid");
  int n = 0;
  for (int v = 0; v < 6; v++) n += picked[3 * v + 2] > 1 + 1e-9;
  return n;
}

static bool moved(int v)
{
  return picked[3 * v + 2] > 1 + 1e-9;
}

static void every_kind_of_selection_picks_what_it_says(void **state)
{
  (void)state;
  write_text("g.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\ng left\nf 1 2 4\n"
                      "f 2 5 4\ng right side\nf 2 3 5\nf 3 6 5\n");
  assert_int_equal(count_moved(""), 6);
  assert_int_equal(count_moved(", 'vertices': 'all'"), 6);
  assert_int_equal(count_moved(", 'vertices': {'indices': [5, 0]}"), 2);
  assert_true(moved(0) && moved(5));
  assert_int_equal(count_moved(", 'indices': [3]"), 1);
  assert_true(moved(3));
  assert_int_equal(count_moved(", 'vertices': {'range': [1, 3]}"), 3);
  assert_true(moved(1) && moved(2) && moved(3));
  assert_int_equal(count_moved(", 'vertices': {'range': [4, 4]}"), 1);
  /* in world space at the start: the transform has lifted it to z = 1; bounds included */
  assert_int_equal(count_moved(", 'vertices': {'box': [[1,0,1], [2,0,1]]}"), 2);
  assert_true(moved(1) && moved(2));
  assert_int_equal(count_moved(", 'vertices': {'sphere': [[0,0,1], 1]}"), 3);
  assert_true(moved(0) && moved(1) && moved(3));
  assert_int_equal(count_moved(", 'vertices': {'group': 'left'}"), 4);
  assert_true(!moved(2) && !moved(5));
}

static void physical_names_of_gmsh_files_are_groups(void **state)
{
  (void)state;
  write_text("t.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 5 \"my wall\"\n"
                      "3 6 \"body\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                      "4 0 0 1\n$EndNodes\n$Elements\n2\n1 2 2 5 1 1 2 3\n2 4 2 6 1 1 2 3 4\n"
                      "$EndElements\n");
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'materials': {'jelly': {'model': 'neo_hookean', 'youngs_modulus': 1e5, "
             "'poissons_ratio': 0.3, 'density': 1000}}, 'objects': [{'name': 'a', 'kind': 'solid', "
             "'mesh': 't.msh', 'material': 'jelly'}], 'controls': [{'kind': 'pin', 'object': 'a', "
             "'vertices': {'group': 'my wall'}}]}"));
  take_steps(s, 5);
  const double *x = positions(s, "a");
  for (int v = 0; v < 3; v++) assert_true(x[3 * v + 2] == 0);
  assert_true(x[3 * 3 + 2] < 1);
  assert_int_equal(s->sim.model.control[0].count, 3);
}

static void selections_that_pick_nothing_or_too_much_are_refused(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'indices': [9]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.indices", "vertex 9 of 9"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'indices': [-1]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.indices[0]", "-1 is out of range"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'indices': [9]}]", ABUT_BAD_FORMAT,
       "controls[0].indices", "vertex 9 of 9"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'indices': []}]", ABUT_BAD_FORMAT,
       "controls[0].indices", "picks no vertex"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'indices': []}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices", "picks no vertex"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'range': [0, 9]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.range", "vertex 9 of 9"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'range': [3, 1]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.range", "[first, last]"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'range': [3]}}]", ABUT_BAD_FORMAT,
       "controls[0].vertices.range", "first and last"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'box': [[9,9,9],[10,10,10]]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices", "picks no vertex"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'sphere': [[9,9,9], 1]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices", "picks no vertex"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'sphere': [[9,9,9], -1]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices.sphere", "zero or more"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {}}]", ABUT_BAD_FORMAT,
       "controls[0].vertices", "\"all\" or one of"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'vertices': {'range': [0,1], 'indices': "
       "[0]}}]",
       ABUT_BAD_FORMAT, "controls[0].vertices", "\"all\" or one of"},
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'indices': [0], 'vertices': {'range': "
       "[0,1]}}]",
       ABUT_BAD_FORMAT, "controls[0]", "keep one"},
      {"controls=[{'kind': 'pin', 'object': '*', 'vertices': {'group': 'hem'}}]", ABUT_BAD_FORMAT,
       "controls[0].vertices", "picks no vertex"},
      {"controls=[{'kind': 'pin', 'object': 'bin'}]", ABUT_BAD_FORMAT, "controls[0].object",
       "obstacles and planes"},
      {"controls=[{'kind': 'force', 'object': 'floor', 'value': [0,0,1]}]", ABUT_BAD_FORMAT,
       "controls[0].object", "obstacles and planes"},
  };
  assert_all_refused(list);
}

/* a selection may be empty for some objects, not for all */
static void a_star_means_every_object(void **state)
{
  (void)state;
  abut_scene *s = base_with("controls=[{'kind': 'pin', 'object': '*', 'vertices': "
                            "{'box': [[-0.1,-0.1,-1], [2,2,4]]}}]",
                            NULL);
  /* 4 of the cloth's 9 vertices, both beads, none of the cube's */
  assert_int_equal(s->sim.model.control[0].count, 6);
  s = base_with("controls=[{'kind': 'drag', 'object': '*', 'rate': 1}]", NULL);
  assert_int_equal(s->sim.model.control[0].count, 9 + 2 + 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(every_shape_has_the_vertices_and_cells_it_promises),
      IN_FOLDER(grid_vertices_run_row_by_row_along_x),
      IN_FOLDER(transforms_scale_then_rotate_then_translate),
      IN_FOLDER(a_mirrored_solid_keeps_its_volume_and_moves_not),
      IN_FOLDER(velocities_are_of_the_body_and_about_its_centre_of_mass),
      IN_FOLDER(rest_input_keeps_the_shape_flat_and_mesh_change_it),
      IN_FOLDER(a_rest_mesh_must_have_the_same_vertices_and_cells),
      IN_FOLDER(welding_bends_a_seam_and_keeps_the_files_numbers),
      IN_FOLDER(every_kind_of_selection_picks_what_it_says),
      IN_FOLDER(physical_names_of_gmsh_files_are_groups),
      IN_FOLDER(selections_that_pick_nothing_or_too_much_are_refused),
      IN_FOLDER(a_star_means_every_object),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
