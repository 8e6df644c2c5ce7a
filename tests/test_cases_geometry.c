/* The contact cases of the case list that a user meets in a scene: coplanar faces, crossings with a
   useful report, inner nodes, energy that never attracts, curved rest shapes, compressed
   tetrahedra. */
#include "program.h"

#include "api/handle.h"

#define MATERIALS                                                                                  \
  "'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, "            \
  "'density': 150, 'thickness': 1e-3}, 'j': {'model': '%s', 'youngs_modulus': 1e5, "               \
  "'poissons_ratio': 0.3, 'density': 1000}}"

/* ---- C27, C29: two triangles ---- */

static void write_two(const char *a, const char *b, const char *contact)
{
  write_text("a.obj", print_text("%s\nf 1 2 3\n", a));
  write_text("b.obj", print_text("%s\nf 1 2 3\n", b));
  write_text("two.json",
             quoted("{'abut': 1, 'gravity': [0,0,0], 'contact': {%s}, " MATERIALS ", 'objects': ["
                    "{'name': 'A', 'kind': 'shell', 'mesh': 'a.obj', 'material': 'm'},"
                    "{'name': 'B', 'kind': 'shell', 'mesh': 'b.obj', 'material': 'm'}]}",
                    contact, "neo_hookean"));
}

static json_t *check_two(int code)
{
  outcome o = program("check", "two.json", "--json", NULL);
  assert_exit(o, code);
  return tree_of(o.out);
}

/* smallest distance in the report */
static double least_distance(const json_t *report)
{
  double least = HUGE_VAL;
  size_t k;
  json_t *f;
  json_array_foreach(find(report, "findings"), k, f) least = fmin(least, number(f, "distance"));
  return least;
}

static void coplanar_faces_that_overlap_are_never_called_clean(void **state)
{
  (void)state;
  const char *low = "v 0 0 0\nv 4 0 0\nv 0 4 0";
  write_two(low, "v 1 1 0\nv 5 1 0\nv 1 5 0", "");
  json_t *report = check_two(3);
  assert_true(least_distance(report) == 0);
  assert_true(number(report, "errors") >= 1);

  write_two(low, "v 4 4 0\nv 8 4 0\nv 4 8 0", "");
  assert_int_equal(json_array_size(find(check_two(0), "findings")), 0);
  /* with a larger dhat the distance shows */
  write_two(low, "v 4 4 0\nv 8 4 0\nv 4 8 0", "'dhat': 3");
  report = check_two(0);
  assert_near(least_distance(report), 2.828427, 1e-6);
  assert_string_equal(string(report, "findings[0].kind"), "closer_than_dhat");

  write_two(low, "v 11 1 0\nv 15 1 0\nv 11 5 0", "");
  assert_int_equal(json_array_size(find(check_two(0), "findings")), 0);

  write_two(low, "v 1 1 1e-9\nv 5 1 1e-9\nv 1 5 1e-9", "");
  report = check_two(0);
  assert_int_equal(number(report, "errors"), 0);
  assert_true(number(report, "warnings") >= 1);
  assert_string_equal(string(report, "findings[0].kind"), "closer_than_dhat");
  assert_close(least_distance(report), 1e-9, 1e-9);
}

static const json_t *finding_between(const json_t *report, const char *a, const char *b)
{
  size_t k;
  json_t *f;
  json_array_foreach(find(report, "findings"), k, f)
  {
    if (strcmp(string(f, "objects[0]"), a) == 0 && strcmp(string(f, "objects[1]"), b) == 0)
      return f;
  }
  fail_msg("no finding between %s and %s", a, b);
  return NULL;
}

static void a_crossing_is_reported_with_ids_point_and_parameters(void **state)
{
  (void)state;
  write_two("v 0 0 0\nv 1 0 0\nv 0 1 0", "v 0.2 0.3 -0.5\nv 0.2 0.3 0.5\nv 5 5 0.5", "");
  const json_t *f = finding_between(check_two(3), "B", "A");
  assert_string_equal(string(f, "kind"), "crossing");
  assert_string_equal(string(f, "level"), "error");
  assert_string_equal(string(f, "elements[0][0]"), "edge");
  assert_string_equal(string(f, "elements[1][0]"), "face");
  assert_int_equal(number(f, "elements[1][1]"), 0);
  assert_near(number(f, "position[0]"), 0.2, 1e-15);
  assert_near(number(f, "position[1]"), 0.3, 1e-15);
  assert_near(number(f, "position[2]"), 0, 1e-15);
  assert_contains(string(f, "message"), "(vertices 0, 1) crosses A face 0 (vertices 0, 1, 2) at");
  assert_contains(string(f, "message"), "0.5 along the edge, barycentric (0.5, 0.2, 0.3)");
  outcome o = program("run", "two.json", "-o", "out", "--json", NULL);
  assert_exit(o, 3);
  json_t *error = tree_of(o.out);
  assert_int_equal(number(error, "error.code"), 3);
  assert_int_equal(json_array_size(find(error, "error.position")), 3);
  assert_false(there("out"));
}

static void the_offending_elements_are_written_as_a_small_mesh(void **state)
{
  (void)state;
  write_two("v 0 0 0\nv 1 0 0\nv 0 1 0", "v 0.2 0.3 -0.5\nv 0.2 0.3 0.5\nv 5 5 0.5", "");
  assert_exit(program("check", "two.json", "--write", "bad.obj", NULL), 3);
  const char *bad = read_text("bad.obj");
  assert_contains(bad, "g crossing_");
  assert_contains(bad, "v 0.20000000000000001 0.29999999999999999 -0.5");
  assert_contains(bad, "\nl ");
  assert_contains(bad, "\nf ");
  /* two crossings, each an edge and a face */
  assert_contains(program("info", "bad.obj", NULL).out, "vertices: 10\ntriangles: 2");
  outcome o = program("check", "two.json", "--write", "nowhere/bad.obj", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "nowhere/bad.obj");
  assert_contains(o.err, strerror(ENOENT));
}

/* ---- C25 ---- */

/* a heavy square sinks towards a fixed one, from 1.2 dhat to 0.05 dhat in 50 steps */
static void sink(const char *law, double yaw)
{
  const double dhat = 1e-2;
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'gravity': [0,0,0], 'time': {'step': 0.01, 'end': 1}, %s, "
             "'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e9, 'poissons_ratio': 0.3, "
             "'density': 1e6, 'thickness': 1e-3}}, 'objects': ["
             "{'name': 'low', 'kind': 'obstacle', "
             "'mesh': {'shape': 'grid', 'size': [1,1], 'cells': [1,1]}},"
             "{'name': 'high', 'kind': 'shell', 'material': 'm', 'velocity': [0,0,-0.023], "
             "'mesh': {'shape': 'grid', 'size': [1,1], 'cells': [1,1]}, "
             "'transform': {'rotate': [[0,0,1], %g], 'translate': [0,0,0.012]}}]}",
             law, yaw));
  double energy = 0, gap = 1.2 * dhat, push = -23;
  for (int k = 0; k < 50; k++) {
    abut_report r = take_steps(s, 1);
    double now = 1.2 * dhat;
    const double *x = positions(s, "high");
    for (int v = 0; v < 4; v++) now = fmin(now, x[3 * v + 2]);
    assert_true(now < gap);
    if (now > dhat) assert_true(r.contact == 0);
    assert_true(r.contact >= 0);
    assert_true(r.contact >= energy);
    assert_true(r.momentum[2] >= push - 1e-12); /* pushed up, never pulled down */
    energy = r.contact;
    gap = now;
    push = r.momentum[2];
  }
  assert_near(gap, 0.05 * dhat, 0.01 * dhat);
  assert_true(energy > 0 && push > -23);
}

static void contact_energy_never_attracts(void **state)
{
  (void)state;
  static const char *const law[] = {"'method': 'ipc', 'contact': {'dhat': 1e-2, 'stiffness': 1e3}",
                                    "'method': 'offset_ipc', "
                                    "'contact': {'dhat': 1e-2, 'stiffness': 1e-3}"};
  static const double yaw[] = {0, 0.1, 45};
  for (int l = 0; l < 2; l++)
    for (int y = 0; y < 3; y++) sink(law[l], yaw[y]);
}

/* ---- C31 ---- */

static const char cube_nodes[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n"
    "5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 0.5 0.5 0.5\n$EndNodes\n$Elements\n12\n";

static void write_cube(void)
{
  static const int face[12][3] = {{1, 3, 2}, {1, 4, 3}, {5, 6, 7}, {5, 7, 8}, {1, 2, 6}, {1, 6, 5},
                                  {2, 3, 7}, {2, 7, 6}, {3, 4, 8}, {3, 8, 7}, {4, 1, 5}, {4, 5, 8}};
  char *text = print_text("%s", cube_nodes);
  for (int f = 0; f < 12; f++)
    text = print_text("%s%d 4 0 %d %d %d 9\n", text, f + 1, face[f][0], face[f][1], face[f][2]);
  write_text("cube.msh", print_text("%s$EndElements\n", text));
}

static void only_the_skin_of_a_solid_enters_contact(void **state)
{
  (void)state;
  write_cube();
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'gravity': [0,0,0], 'contact': {'dhat': 0.6}, " MATERIALS ", 'objects': ["
             "{'name': 'cube', 'kind': 'solid', 'mesh': 'cube.msh', 'material': 'j'},"
             "{'name': 'floor', 'kind': 'plane', 'point': [0,0,-0.5]}]}",
             "neo_hookean"));
  take_steps(s, 0);
  const abut_surface *skin = &s->sim.model.surface;
  assert_int_equal(skin->faces, 12);
  assert_int_equal(skin->edges, 18);
  assert_int_equal(skin->points, 8);
  int32_t centre = s->sim.model.solver_of[8];
  for (int32_t p = 0; p < skin->points; p++) assert_true(skin->point[p] != centre);
  for (int32_t e = 0; e < 2 * skin->edges; e++) assert_true(skin->edge[e] != centre);
  /* the centre is closer than dhat to all faces, and no finding names it */
  const abut_finding *list;
  int64_t count;
  write_text("cube.json", quoted("{'abut': 1, 'contact': {'dhat': 0.6}, " MATERIALS
                                 ", 'objects': [{'name': 'cube', 'kind': 'solid', "
                                 "'mesh': 'cube.msh', 'material': 'j'}]}",
                                 "neo_hookean"));
  must(s, abut_check(s, at("cube.json"), 0, NULL, &list, &count));
  for (int64_t k = 0; k < count; k++)
    for (int e = 0; e < 2; e++)
      if (list[k].element[e] && strcmp(list[k].element[e], "vertex") == 0)
        assert_int_not_equal(list[k].index[e], 8);
  /* a squeezed solid keeps moving: its core does not hit its skin */
  abut_report r = take_steps(s, 20);
  assert_int_equal(r.steps, 20);
  assert_true(positions(s, "cube")[3 * 8 + 2] > 0.5);
}

/* ---- C58 ---- */

static double random_number(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

static void write_tet(const char *name, double height, const double shear[3])
{
  write_text(name,
             print_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 0.2 0 0\n"
                        "3 %.17g 0.3 0\n4 %.17g %.17g %.17g\n$EndNodes\n$Elements\n1\n"
                        "1 4 0 1 2 3 4\n$EndElements\n",
                        0.3 * shear[0], 0.5 * shear[1], 0.5 * shear[2], height));
}

/* a step from a tetrahedron squeezed to a tenth of its height: every Newton direction descends */
static void strongly_compressed_tetrahedra_take_a_step(void **state)
{
  (void)state;
  static const char *const model[] = {"stable_neo_hookean", "neo_hookean", "fixed_corotated"};
  const double none[3] = {0, 0, 0};
  write_tet("rest.msh", 0.5, none);
  for (unsigned seed = 1; seed <= 100; seed++) {
    unsigned state_of = seed;
    double shear[3];
    for (int k = 0; k < 3; k++) shear[k] = 0.5 * random_number(&state_of);
    write_tet("now.msh", 0.05, shear);
    abut_scene *s = parse_scene(
        quoted("{'abut': 1, 'gravity': [0,0,0], " MATERIALS ", 'objects': [{'name': 'tet', "
               "'kind': 'solid', 'mesh': 'now.msh', 'rest': {'mesh': 'rest.msh'}, "
               "'material': 'j'}]}",
               model[seed % 3]));
    abut_report r = take_steps(s, 1);
    assert_true(r.newton > 0 && r.newton < 60);
    assert_true(r.step_fraction > 0);
    assert_true(isfinite(r.kinetic) && isfinite(r.elastic) && r.kinetic > 0);
    abut_destroy(kept_scene[--kept_scenes]);
  }
}

/* ---- C37: a curved rest shape stays curved ---- */

/* a quarter of a cylinder of radius 0.1, 0.2 long, 8 x 4 cells */
static void write_quarter(void)
{
  char *text = malloc(8192);
  size_t n = 0;
  assert_non_null(text);
  for (int j = 0; j <= 4; j++)
    for (int i = 0; i <= 8; i++) {
      double a = i * K_PI / 16;
      n += (size_t)snprintf(text + n, 8192 - n, "v %.17g %.17g %.17g\n", 0.1 * sin(a), 0.05 * j,
                            0.1 * cos(a));
    }
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 8; i++) {
      int a = 9 * j + i + 1, b = a + 9;
      n += (size_t)snprintf(text + n, 8192 - n, "f %d %d %d\nf %d %d %d\n", a, a + 1, b + 1, a,
                            b + 1, b);
    }
  write_text("quarter.obj", text);
  free(text);
}

/* how far the ends of the strip are apart */
static double width(const double *x)
{
  return hypot(x[3 * 8] - x[0], x[3 * 8 + 2] - x[2]);
}

static void a_strip_modelled_curved_stays_curved(void **state)
{
  (void)state;
  write_quarter();
  for (int n = 0; n < 2 * 3; n++) {
    static const char *const method[] = {"ipc", "offset_ipc", "barrier_free"};
    abut_scene *s = parse_scene(
        quoted("{'abut': 1, 'gravity': [0,0,0], 'time': {'end': 9}, 'method': '%s', " MATERIALS
               ", 'objects': [{'name': 'strip', 'kind': 'shell', 'mesh': 'quarter.obj', "
               "'material': 'm', 'rest': '%s'}]}",
               method[n / 2], "neo_hookean", n % 2 ? "flat" : "input"));
    take_steps(s, 0);
    double start[3 * 45], most = 0, wide = 0;
    memcpy(start, positions(s, "strip"), sizeof start);
    for (int k = 0; k < 200; k++) {
      take_steps(s, 1);
      const double *x = positions(s, "strip");
      for (int i = 0; i < 3 * 45; i++) most = fmax(most, fabs(x[i] - start[i]));
      wide = fmax(wide, width(x));
    }
    if (n % 2 == 0) assert_below(most, 1e-9);
    /* the chord of a quarter is 0.1414 m, its arc 0.157 m */
    if (n % 2 == 1) assert_true(wide > 0.155 && width(start) < 0.142);
    abut_destroy(kept_scene[--kept_scenes]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(coplanar_faces_that_overlap_are_never_called_clean),
      IN_FOLDER(a_crossing_is_reported_with_ids_point_and_parameters),
      IN_FOLDER(the_offending_elements_are_written_as_a_small_mesh),
      IN_FOLDER(contact_energy_never_attracts),
      IN_FOLDER(only_the_skin_of_a_solid_enters_contact),
      IN_FOLDER(a_strip_modelled_curved_stays_curved),
      IN_FOLDER(strongly_compressed_tetrahedra_take_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
