/* What may touch and how much it rubs: contact.pairs, self_contact, the pairs that are never a
   contact; seen by check, by the solver and by verify alike. */
#include "scene_base.h"

#include "api/handle.h"

/* two crossing squares: a shell (material m) and an obstacle, and what the scene says of them */
static void write_crossing(const char *contact, const char *controls)
{
  write_text("s.json",
             quoted("{'abut': 1, 'gravity': [0,0,0], 'time': {'end': 0.02}, 'contact': {%s}, "
                    "'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e5, "
                    "'poissons_ratio': 0.3, 'density': 150, 'thickness': 1e-3}}, 'objects': ["
                    "{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', "
                    "'size': [1,1], 'cells': [2,2]}}, {'name': 'post', 'kind': 'obstacle', "
                    "'material': 'steel', 'mesh': {'shape': 'grid', 'size': [0.3,0.3], 'cells': "
                    "[1,1]}, 'transform': {'rotate': [[1,0,0], 90], 'translate': [0.1,0.1,0]}}]"
                    ", 'controls': [%s]}",
                    contact, controls));
}

/* check, run and verify must agree that the pair may cross, or that it may not */
static void assert_allowed(bool allowed)
{
  assert_exit(program("check", "s.json", NULL), allowed ? 0 : 3);
  assert_exit(program("run", "s.json", "-o", "out", NULL), allowed ? 0 : 3);
  if (allowed) assert_exit(program("verify", "out", NULL), 0);
}

static void pairs_switched_off_by_object_or_material_may_cross(void **state)
{
  (void)state;
  write_crossing("", "");
  assert_allowed(false);
  write_crossing("'pairs': [{'a': 'cloth', 'b': 'post', 'enabled': false}]", "");
  assert_allowed(true);
  write_crossing("'pairs': [{'a': 'steel', 'b': 'cloth', 'enabled': false}]", "");
  assert_allowed(true);
  write_crossing("'pairs': [{'a': 'm', 'b': 'steel', 'enabled': false}]", "");
  assert_allowed(true);
  write_crossing("'pairs': [{'a': 'm', 'b': 'steel', 'friction': 0.1, 'enabled': true}]", "");
  assert_allowed(false);
  write_crossing("'pairs': [{'a': 'cloth', 'b': 'cloth', 'enabled': false}]", "");
  assert_allowed(false);
  write_crossing("'self_contact': false", "");
  assert_allowed(false);
}

static void pairs_of_prescribed_vertices_are_no_contacts(void **state)
{
  (void)state;
  write_crossing("", "{'kind': 'pin', 'object': 'cloth'}");
  assert_allowed(true);
  /* all but one of the vertices are not enough where that one takes part */
  write_crossing("", "{'kind': 'pin', 'object': 'cloth', 'vertices': {'range': [0, 7]}}");
  assert_allowed(false);
  /* an obstacle that stands in a plane and in another obstacle */
  write_text("s.json",
             quoted("{'abut': 1, 'time': {'end': 0.02}, 'objects': ["
                    "{'name': 'bin', 'kind': 'obstacle', 'mesh': {'shape': 'box', 'size': [1,1,1], "
                    "'cells': [1,1,1]}}, {'name': 'bin 2', 'kind': 'obstacle', 'mesh': {'shape': "
                    "'box', 'size': [1,1,1], 'cells': [1,1,1]}, 'transform': {'translate': "
                    "[0.3,0.2,0.1]}}, {'name': 'floor', 'kind': 'plane'}]}"));
  assert_allowed(true);
}

/* a mesh whose second sheet crosses its first */
static void write_folded(const char *contact)
{
  write_text("fold.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -0.5\nv 0.2 0.3 0.5\nv 2 2 0.5\n"
                         "f 1 2 3\nf 4 5 6\n");
  write_text("s.json", quoted("{'abut': 1, 'gravity': [0,0,0], 'time': {'end': 0.02}, 'contact': "
                              "{%s}, 'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e5, "
                              "'poissons_ratio': 0.3, 'density': 150, 'thickness': 1e-3}}, "
                              "'objects': [{'name': 'cloth', 'kind': 'shell', 'mesh': 'fold.obj', "
                              "'material': 'm'}]}",
                              contact));
}

static void self_contact_can_be_switched_off(void **state)
{
  (void)state;
  write_folded("");
  assert_allowed(false);
  write_folded("'self_contact': false");
  assert_allowed(true);
  write_folded("'pairs': [{'a': 'cloth', 'b': 'cloth', 'enabled': false}]");
  assert_allowed(true);
  /* a row beats the general switch */
  write_folded("'self_contact': false, 'pairs': [{'a': 'cloth', 'b': 'cloth', 'enabled': true}]");
  assert_allowed(false);
}

/* the two sheets of a welded seam share a vertex, nearby ones do not */
static void pairs_that_share_a_vertex_are_no_contacts(void **state)
{
  (void)state;
  write_text("v.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 0.1\nv 0 1 0.1\nf 1 2 3\n"
                      "f 4 5 6\n");
  const char *scene = "{'abut': 1, 'gravity': [0,0,0], 'time': {'end': 0.02}, 'materials': {'m': "
                      "{'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': "
                      "150, 'thickness': 1e-3}}, 'objects': [{'name': 'cloth', 'kind': 'shell', "
                      "'mesh': 'v.obj', 'material': 'm'%s}]}";
  write_text("s.json", quoted(scene, ""));
  assert_allowed(false);
  write_text("s.json", quoted(scene, ", 'weld': 1e-6"));
  assert_allowed(true);
}

/* ---- friction ---- */

static double slid(const char *contact)
{
  abut_scene *s = parse_scene(quoted(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 1}, 'contact': {'dhat': 1e-3, %s}, "
      "'method': {'name': 'ipc', 'tolerance': 1e-6}, 'objects': ["
      "{'name': 'floor', 'kind': 'plane', 'material': 'wood'}, {'name': 'bead', 'kind': 'spheres', "
      "'material': 'glass', 'centers': [[0,0,0.101]], 'radii': [0.1], 'density': 1000, "
      "'velocity': [1,0,0]}, {'name': 'other', 'kind': 'spheres', 'material': 'glass', 'centers': "
      "[[0,5,0.101]], 'radii': [0.1], 'density': 1000, 'velocity': [1,0,0]}]}",
      contact));
  take_steps(s, 20);
  return 1 - abut_velocities(s, abut_find_body(s, "bead"))[0];
}

/* a bead that does not spin slows by mu g */
static void friction_of_a_pair_beats_the_general_one(void **state)
{
  (void)state;
  assert_near(slid("'friction': 0"), 0, 1e-9);
  double slowed = slid("'friction': 0.3");
  assert_close(slowed, 0.3 * 9.81 * 0.19, 0.01); /* from the second step on */
  assert_near(slid("'friction': 0.3, 'pairs': [{'a': 'bead', 'b': 'floor', 'friction': 0}]"), 0,
              1e-9);
  assert_near(slid("'friction': 0, 'pairs': [{'a': 'wood', 'b': 'glass', 'friction': 0.3}]"),
              slowed, 1e-3);
  assert_near(slid("'friction': 0, 'pairs': [{'a': 'other', 'b': 'floor', 'friction': 0.3}]"), 0,
              1e-9);
}

static void rows_that_contradict_each_other_are_refused(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"contact.pairs=[{'a': 'cloth', 'b': 'bin', 'friction': 0.1}, {'a': 'bin', 'b': 'film', "
       "'friction': 0.2}]",
       ABUT_BAD_FORMAT, "contact.pairs[1].friction", "contradicts contact.pairs[0].friction"},
      {"contact.pairs=[{'a': 'cloth', 'b': 'bin', 'enabled': true}, {'a': 'bin', 'b': 'cloth', "
       "'enabled': false}]",
       ABUT_BAD_FORMAT, "contact.pairs[1].enabled", "contradicts contact.pairs[0].enabled"},
      {"contact.pairs=[{'a': 'film', 'b': 'film', 'friction': 0.1}, {'a': 'cloth', 'b': 'cloth', "
       "'friction': 0.2}]",
       ABUT_BAD_FORMAT, "contact.pairs[1].friction", "contradicts"},
  };
  assert_all_refused(list);
  /* the same said twice, or of different things, is none */
  base_with("contact.pairs=[{'a': 'cloth', 'b': 'bin', 'friction': 0.1}, {'a': 'bin', 'b': 'film', "
            "'friction': 0.1, 'enabled': true}, {'a': 'cloth', 'b': 'cloth', 'friction': 0.2}]",
            NULL);
}

/* ---- gap ---- */

/* between midsurfaces; a sphere's surface is no midsurface and keeps half of it */
static void the_gap_is_kept_and_starting_below_it_is_an_error(void **state)
{
  (void)state;
  const char *scene =
      "{'abut': 1, 'time': {'step': 0.01, 'end': 1}, 'contact': {'dhat': 1e-2, 'gap': 2e-3}, "
      "'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, "
      "'density': 1000, 'thickness': 2e-3}}, 'objects': [{'name': 'floor', 'kind': 'plane'}, "
      "{'name': 'bead', 'kind': 'spheres', 'centers': [[5,0,%s]], 'radii': [0.1], 'density': 1000},"
      "{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', 'size': "
      "[0.5,0.5], 'cells': [2,2]}, 'transform': {'translate': [0,0,%s]}}]}";
  abut_scene *s = parse_scene(quoted(scene, "0.11", "0.01"));
  take_steps(s, 100);
  double height = positions(s, "bead")[2] - 0.1;
  assert_true(height > 1e-3 && height < 1e-3 + 1e-2);
  for (int v = 0; v < 9; v++) {
    height = positions(s, "cloth")[3 * v + 2];
    assert_true(height > 2e-3 && height < 2e-3 + 1e-2);
  }
  static const char *const bead[] = {"0.1011", "0.1009", "0.1011"};
  static const char *const cloth[] = {"0.0021", "0.0021", "0.002"};
  for (int k = 0; k < 3; k++) {
    write_text("s.json", quoted(scene, bead[k], cloth[k]));
    outcome o = program("check", "s.json", "--json", NULL);
    assert_exit(o, k ? 3 : 0);
    const char *kind = string(tree_of(o.out), "findings[0].kind");
    assert_string_equal(kind, k ? "closer_than_gap" : "closer_than_dhat");
    assert_exit(program("run", "s.json", "-o", "out", "--steps", "1", NULL), k ? 3 : 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(pairs_switched_off_by_object_or_material_may_cross),
      IN_FOLDER(pairs_of_prescribed_vertices_are_no_contacts),
      IN_FOLDER(self_contact_can_be_switched_off),
      IN_FOLDER(pairs_that_share_a_vertex_are_no_contacts),
      IN_FOLDER(friction_of_a_pair_beats_the_general_one),
      IN_FOLDER(rows_that_contradict_each_other_are_refused),
      IN_FOLDER(the_gap_is_kept_and_starting_below_it_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
