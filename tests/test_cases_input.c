/* The input cases of the case list, end to end: through the interface and through the program. */
#include "program.h"
#include "test_mesh_files.h"

#include "api/handle.h"

#define FILM                                                                                       \
  "'m': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150, "          \
  "'thickness': 1e-3}"
#define JELLY                                                                                      \
  "'j': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, "            \
  "'density': 1000}"

static void write_scene(const char *name, const char *rest)
{
  write_text(name,
             print_text("%s%s}", quoted("{'abut': 1, 'materials': {" FILM ", " JELLY "},"), rest));
}

static const char *mesh_object(const char *name, const char *kind, const char *mesh)
{
  return quoted("{'name': '%s', 'kind': '%s', 'mesh': '%s', 'material': '%s'}", name, kind, mesh,
                strcmp(kind, "shell") == 0 ? "m" : "j");
}

/* the findings of `abut check --json` on the scene */
static json_t *findings(const char *name, int code)
{
  outcome o = program("check", name, "--json", NULL);
  assert_exit(o, code);
  return tree_of(o.out);
}

static int64_t count_kind(const json_t *report, const char *kind)
{
  int64_t n = 0;
  size_t k;
  json_t *f;
  json_array_foreach(find(report, "findings"), k, f) n += strcmp(string(f, "kind"), kind) == 0;
  return n;
}

/* ---- C01, C02: vertices in no cell ---- */

static void a_vertex_of_no_triangle_is_named_and_stays_where_it_is(void **state)
{
  (void)state;
  write_text("c01.obj", "v 0 0 0\nv 0.3 0 0\nv 0 0.4 0\nv 5 -1 2\nf 1 2 3\n");
  write_scene("c01.json", print_text("%s%s]",
                                     quoted("'gravity': [0,0,0], 'time': {'end': 0.1}, "
                                            "'objects': ["),
                                     mesh_object("cloth", "shell", "c01.obj")));
  json_t *report = findings("c01.json", 0);
  assert_int_equal(json_array_size(find(report, "findings")), 1);
  assert_string_equal(string(report, "findings[0].kind"), "isolated");
  assert_string_equal(string(report, "findings[0].level"), "warning");
  assert_int_equal(number(report, "findings[0].elements[0][1]"), 3);
  outcome o = run_to_end("c01.json");
  assert_contains(o.err, "cloth: 1 vertices belong to no cell (the first is vertex 3)");

  abut_scene *s = new_scene();
  must(s, abut_load(s, at("c01.json")));
  abut_report r = take_steps(s, 10);
  assert_int_equal(r.steps, 10);
  for (int v = 0; v < 3; v++)
    assert_close(s->sim.model.mass[s->sim.model.solver_of[v]], 0.003, 1e-15);
  const double *x = positions(s, "cloth"), stray[] = {5, -1, 2};
  assert_memory_equal(x + 9, stray, sizeof stray);
}

static const char seam[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 3 0 0\nv 2 1 0\nv 1 1 0\n"
                           "f 1 2 3\nf 4 5 6\nl 3 7\nl 7 4\n";

static void a_seam_of_lines_is_refused_by_name_pinned_or_not(void **state)
{
  (void)state;
  static const char *const pins[] = {
      "]", "], 'controls': [{'kind': 'pin', 'object': 'cloth', 'vertices': {'indices': [6]}}]"};
  write_text("seam.obj", seam);
  for (int k = 0; k < 2; k++) {
    write_scene("c02.json",
                print_text("%s%s%s", quoted("'objects': ["),
                           mesh_object("cloth", "shell", "seam.obj"), quoted("%s", pins[k])));
    outcome o = program("run", "c02.json", "-o", "out", NULL);
    assert_exit(o, 2);
    assert_contains(o.err, "objects[0].mesh: cloth: the mesh has line elements without mass");
    assert_contains(o.err, "vertices 2 and 6");
    assert_false(there("out"));
    assert_exit(program("check", "c02.json", NULL), 2);
  }
}

/* ---- C04, C05: nearly and exactly touching ---- */

static void write_panels(const char *weld)
{
  write_text("panels.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1.0000001 0 0\nv 2 0 0\n"
                           "v 2 1 0\nv 1.0000001 1 0\nf 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n");
  write_scene("c04.json",
              quoted("'gravity': [0,0,0], 'contact': {'dhat': 1e-3}, 'time': {'end': 0.02}, "
                     "'objects': [{'name': 'shirt', 'kind': 'shell', 'mesh': 'panels.obj', "
                     "'material': 'm'%s}]",
                     weld));
}

static void assert_pair(const json_t *f, int a, int b)
{
  assert_int_equal(number(f, "elements[0][1]"), a);
  assert_int_equal(number(f, "elements[1][1]"), b);
  assert_close(number(f, "distance"), 1e-7, 1e-8);
}

static void an_unwelded_seam_is_listed_nearest_first_and_each_pair_once(void **state)
{
  (void)state;
  write_panels("");
  json_t *report = findings("c04.json", 0);
  size_t k, vertices = 0;
  json_t *f;
  double last = 0;
  assert_int_equal(count_kind(report, "near_coincident"), 2);
  json_array_foreach(find(report, "findings"), k, f)
  {
    if (strcmp(string(f, "kind"), "closer_than_dhat") != 0) continue;
    assert_true(number(f, "distance") >= last * (1 - 1e-6));
    last = number(f, "distance");
    if (strcmp(string(f, "elements[0][0]"), "vertex") != 0 ||
        strcmp(string(f, "elements[1][0]"), "vertex") != 0)
      continue;
    assert_pair(f, vertices ? 2 : 1, vertices ? 7 : 4);
    vertices++;
  }
  assert_int_equal(vertices, 2);
  /* without welding: the first step moves nothing by more than dhat */
  run_to_end("c04.json");
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("c04.json")));
  double before[24];
  memcpy(before, positions(s, "shirt"), sizeof before);
  take_steps(s, 1);
  const double *x = positions(s, "shirt");
  for (int c = 0; c < 24; c++) assert_near(x[c], before[c], 1e-3);
}

static void a_welded_seam_has_six_vertices_inside_and_eight_outside(void **state)
{
  (void)state;
  write_panels("");
  outcome o = program("check", "c04.json", "--weld", "1e-6", "--json", NULL);
  assert_exit(o, 0);
  assert_int_equal(json_array_size(find(tree_of(o.out), "findings")), 0);
  write_panels(", 'weld': 1e-6");
  assert_int_equal(json_array_size(find(findings("c04.json", 0), "findings")), 0);
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("c04.json")));
  assert_int_equal(take_steps(s, 1).contacts, 0);
  assert_int_equal(s->sim.model.system.vertices, 6);
  assert_int_equal(abut_vertex_count(s, abut_find_body(s, "shirt")), 8);
  run_to_end("c04.json");
  assert_exit(program("export", "out", "--format", "obj", NULL), 0);
  const char *obj = read_text("out/export/obj/shirt_000002.obj");
  int v = 0, faces = 0;
  for (const char *p = obj; (p = strstr(p, "v ")); p++) v++;
  for (const char *p = obj; (p = strstr(p, "f ")); p++) faces++;
  assert_int_equal(v, 8);
  assert_int_equal(faces, 4);
  assert_contains(program("info", "out", NULL).out, "8 vertices, 4 triangles");
}

static void touching_is_found_before_the_run_and_is_no_crossing(void **state)
{
  (void)state;
  write_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text("b.obj", "v 0 0 0\nv -1 0 0.5\nv 0 -1 0.5\nf 1 2 3\n");
  write_scene("c05.json",
              print_text("%s%s,%s]", quoted("'objects': ["), mesh_object("A", "shell", "a.obj"),
                         mesh_object("B", "shell", "b.obj")));
  outcome o = program("check", "c05.json", NULL);
  assert_exit(o, 3);
  assert_contains(o.out, "distance 0: A vertex 0 / B vertex 0 at (0, 0, 0)");
  json_t *report = findings("c05.json", 3);
  assert_int_equal(number(report, "errors"), 1);
  assert_string_equal(string(report, "findings[0].kind"), "touching");
  o = program("run", "c05.json", "-o", "out", NULL);
  assert_exit(o, 3);
  assert_contains(o.err, "A vertex 0 / B vertex 0 at (0, 0, 0)");
  assert_false(there("out"));
}

static void particles_do_not_exist_yet_and_are_refused_by_name(void **state)
{
  (void)state;
  write_scene("p.json", quoted("'objects': [{'name': 'p', 'kind': 'particles', "
                               "'centers': [[0.2,0.2,0.2],[0.2,0.2,0.2]], 'density': 1}]"));
  outcome o = program("run", "p.json", "-o", "out", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "p.json:1: objects[0].kind: objects of kind \"particles\" are not "
                         "available in this version");
}

/* ---- C07, C08, C10: OBJ files ---- */

/* the scene has a second object, whose degenerate triangle is reported all the same */
static void a_coordinate_that_is_no_number_is_refused_with_its_line(void **state)
{
  (void)state;
  static const char *const line[] = {"v 0 nan 0", "v 1e999 0 0", "v 1,5 0 0"};
  write_text("flat.obj", "v 0 0 5\nv 1 0 5\nv 2 0 5\nf 1 2 3\n");
  write_scene("c07.json",
              print_text("%s%s,%s]", quoted("'objects': ["), mesh_object("bad", "shell", "bad.obj"),
                         mesh_object("flat", "shell", "flat.obj")));
  for (int k = 0; k < 3; k++) {
    write_text("bad.obj", print_text("v 0 0 0\n%s\nv 0 1 0\nf 1 2 3\n", line[k]));
    outcome o = program("run", "c07.json", "-o", "out", NULL);
    assert_exit(o, 2);
    assert_contains(o.err, "abut: bad.obj:2: ");
    assert_false(there("out"));
    o = program("check", "c07.json", NULL);
    assert_exit(o, 2);
    assert_contains(o.out, "unreadable: bad: bad.obj:2: ");
    assert_contains(o.out, "degenerate: flat: triangle 0");
    json_t *report = findings("c07.json", 2);
    assert_int_equal(count_kind(report, "degenerate"), 1);
    assert_int_equal(number(report, "error.line"), 2);
    assert_int_equal(number(report, "error.code"), 2);
    assert_string_equal(string(report, "error.object"), "bad");
  }
}

static void negative_indices_count_back_from_the_line_they_stand_on(void **state)
{
  (void)state;
  write_text("c08.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 5\nv 1 0 5\nv 0 1 5\n"
                        "f -3 -2 -1\n");
  write_scene("c08.json", print_text("%s%s]", quoted("'objects': ["),
                                     mesh_object("cloth", "shell", "c08.obj")));
  assert_contains(program("info", "c08.obj", NULL).out, "triangles: 2, area 1,");
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("c08.json")));
  take_steps(s, 0);
  const int32_t cells[] = {0, 1, 2, 3, 4, 5};
  assert_int_equal(s->sim.model.object[0].cells, 2);
  assert_memory_equal(s->sim.model.object[0].cell, cells, sizeof cells);
  for (int v = 0; v < 6; v++)
    assert_close(s->sim.model.mass[s->sim.model.solver_of[v]], 0.5 * 0.15 / 3, 1e-14);
}

static void an_index_out_of_range_is_refused_with_line_value_and_range(void **state)
{
  (void)state;
  static const struct {
    const char *face, *said;
  } bad[] = {{"f 1 2 4", "vertex 4 of 3"},
             {"f 0 1 2", "vertex 0"},
             {"f -4 -3 -2", "vertex -4 of 3"},
             {"f 1 2 2147483648", "2147483648"},
             {"f 1/ 2/ x", "x"}};
  write_scene("c10.json", print_text("%s%s]", quoted("'objects': ["),
                                     mesh_object("cloth", "shell", "c10.obj")));
  for (int k = 0; k < 5; k++) {
    write_text("c10.obj", print_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n%s\n", bad[k].face));
    outcome o = program("run", "c10.json", "-o", "out", NULL);
    assert_exit(o, 2);
    assert_contains(o.err, "abut: c10.obj:4: ");
    assert_contains(o.err, bad[k].said);
    o = program("info", "c10.obj", NULL);
    assert_exit(o, 2);
    assert_contains(o.err, "abut: c10.obj:4: ");
  }
}

/* ---- C11, C13, C14: tetrahedra ---- */

static void every_form_of_a_gmsh_file_gives_the_same_solid(void **state)
{
  (void)state;
  const file form[] = {text_file(HEAD_41 NODES_41 ELEMENTS_41), text_file(FILE_22),
                       binary_22(false), binary_41(false, false, false),
                       text_file(HEAD_41 NAMES ENTITIES NODES_41 ELEMENTS_41)};
  write_scene("c11.json", print_text("%s%s]", quoted("'time': {'end': 0.03}, 'objects': ["),
                                     mesh_object("body", "solid", "c11.msh")));
  const char *hash = NULL;
  for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
    write_bytes("c11.msh", form[k].data, (size_t)form[k].size);
    outcome o = program("info", "c11.msh", NULL);
    assert_exit(o, 0);
    assert_contains(o.out, "vertices: 4");
    assert_contains(o.out, "tetrahedra: 1, volume 0.005,");
    run_to_end("c11.json");
    if (hash) assert_string_equal(hash_of("out"), hash);
    hash = hash_of("out");
  }
}

static void the_order_of_a_tetrahedrons_corners_does_not_matter(void **state)
{
  (void)state;
  static const char *const order[] = {"1 2 3 4", "1 3 2 4"};
  static const char *const model[] = {"stable_neo_hookean", "neo_hookean"};
  for (int k = 0; k < 4; k++) {
    write_text("c13.msh",
               print_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 0.2 0 0\n"
                          "3 0 0.3 0\n4 0 0 0.5\n$EndNodes\n$Elements\n1\n1 4 0 %s\n$EndElements\n",
                          order[k % 2]));
    abut_scene *s = parse_scene(
        quoted("{'abut': 1, 'gravity': [0,0,0], 'materials': {'j': {'model': '%s', "
               "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': "
               "[{'name': 'tet', 'kind': 'solid', 'mesh': 'c13.msh', 'material': 'j'}]}",
               model[k / 2]));
    abut_report r = take_steps(s, 100);
    assert_int_equal(r.steps, 100);
    const double *x = positions(s, "tet");
    for (int v = 0; v < 4; v++)
      for (int c = 0; c < 3; c++) assert_near(x[3 * v + c], place[v][c], 1e-12);
    assert_below(fabs(r.elastic), 5e-11);
    if (k % 2) assert_contains(notes, "turned over (the first is tetrahedron 0)");
    outcome o = program("check", "c13.msh", NULL);
    assert_exit(o, k % 2 ? 3 : 0);
    if (k % 2) assert_contains(o.out, "inverted: c13.msh: tetrahedron 0");
  }
}

static void flat_tetrahedra_are_refused_by_number_and_slivers_warned_of(void **state)
{
  (void)state;
  static const char *const height[] = {"0", "1e-12", "1e-4"};
  static const char *const volume[] = {"volume 0", "volume 1.67e-13", ""};
  write_scene("c14.json", print_text("%s%s]",
                                     quoted("'gravity': [0,0,0], 'time': {'end': 0.02}, "
                                            "'objects': ["),
                                     mesh_object("thin", "solid", "c14.msh")));
  for (int k = 0; k < 3; k++) {
    write_text("c14.msh",
               print_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"
                          "3 0 1 0\n4 0.3 0.3 %s\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n"
                          "$EndElements\n",
                          height[k]));
    outcome o = program("run", "c14.json", "-o", "out", NULL);
    assert_exit(o, k < 2 ? 3 : 0);
    if (k < 2) {
      assert_contains(o.err, "thin: tetrahedron 0: tetrahedron 0 is degenerate");
      assert_contains(o.err, volume[k]);
      assert_false(there("out"));
    }
    json_t *report = findings("c14.json", k < 2 ? 3 : 0);
    assert_int_equal(count_kind(report, k < 2 ? "degenerate" : "sliver"), 1);
  }
  assert_contains(program("check", "c14.json", NULL).out, "thin: tetrahedron 0 is a sliver");
  const char *steps = read_text("out/steps.jsonl");
  assert_lacks(steps, "nan");
  assert_lacks(steps, "inf");
}

/* ---- C15: next to nothing ---- */

static void empty_scenes_and_zero_frames_end_well_with_a_note(void **state)
{
  (void)state;
  static const char *const scene[] = {
      "'objects': [], 'time': {'end': 0.05}",
      "'objects': [{'name': 'p', 'kind': 'spheres', 'centers': [[0,0,0.5]], 'radii': [0.01], "
      "'density': 1}], 'time': {'end': 0}",
      "'objects': [{'name': 'bin', 'kind': 'obstacle', 'mesh': {'shape': 'box', 'size': [1,1,1], "
      "'cells': [1,1,1]}}], 'time': {'end': 0.05}"};
  static const char *const note[] = {"nothing moves", "time.end is 0", "nothing moves"};
  static const int steps[] = {5, 0, 5}, frames[] = {6, 1, 6};
  for (int k = 0; k < 3; k++) {
    write_scene("c15.json", quoted("%s", scene[k]));
    outcome o = run_to_end("c15.json");
    assert_contains(o.err, note[k]);
    assert_int_equal(number(read_json("out/summary.json"), "steps"), steps[k]);
    assert_contains(program("info", "out", NULL).out, print_text("frames: %d,", frames[k]));
    assert_exit(program("verify", "out", NULL), 0);
    assert_exit(program("check", "c15.json", NULL), 0);
    assert_exit(program("export", "out", "--format", "obj", NULL), 0);
  }
}

static void a_lone_particle_falls_as_implicit_euler_says(void **state)
{
  (void)state;
  write_scene("c15.json", quoted("'time': {'end': 0.1}, 'objects': [{'name': 'p', 'kind': "
                                 "'spheres', 'centers': [[0,0,0.5]], 'radii': [0.01], "
                                 "'density': 1000}]"));
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("c15.json")));
  assert_int_equal(take_steps(s, 100).steps, 10);
  assert_near(positions(s, "p")[2], 0.446045, 1e-12);
  assert_near(abut_velocities(s, abut_find_body(s, "p"))[2], -0.981, 1e-12);
  run_to_end("c15.json");
  assert_string_equal(hash_of("out"), print_text("%016llx", (unsigned long long)abut_hash(s)));
}

/* ---- C22: paths ---- */

static void spaces_accents_and_long_paths_work(void **state)
{
  (void)state;
  make_folder("out dir");
  make_folder("out dir/n\xc3\xa9"
              "e \xc3\xbc");
  const char *sub = "out dir/n\xc3\xa9"
                    "e \xc3\xbc";
  write_text(print_text("%s/my mesh.obj", sub), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_scene(print_text("%s/scene.json", sub),
              print_text("%s%s]", quoted("'time': {'end': 0.02}, 'objects': ["),
                         mesh_object("tissu \xc3\xa9", "shell", "my mesh.obj")));
  char part[101];
  memset(part, 'x', 100);
  part[100] = '\0';
  const char *prefix = print_text("%s/%s/%s/%s", sub, part, part, part);
  outcome o = program("run", print_text("%s/scene.json", sub), "-o", prefix, NULL);
  assert_exit(o, 0);
  assert_string_equal(string(read_json(print_text("%s/summary.json", prefix)), "status"), "done");
  assert_exit(program("verify", prefix, NULL), 0);
  assert_exit(program("export", prefix, "--format", "ply", NULL), 0);
  assert_true(there(print_text("%s/export/ply/tissu___000002.ply", prefix)));
  o = program("run", print_text("%s/scene.json", prefix), "-o", "again", NULL);
  assert_exit(o, 0);
  assert_string_equal(hash_of("again"), hash_of(prefix));
}

static void names_too_long_for_the_system_are_refused_at_the_start(void **state)
{
  (void)state;
  char part[301];
  memset(part, 'y', 300);
  part[300] = '\0';
  write_scene("s.json", quoted("'objects': []"));
  outcome o = program("run", "s.json", "-o", part, NULL);
  assert_exit(o, 5);
  assert_contains(o.err, part);
  assert_contains(o.err, strerror(ENAMETOOLONG));
  o = program("run", "s.json", "-o", "", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, strerror(ENOENT));
}

/* the mesh of a scene is noted in scene.json by its path, and JSON is UTF-8 */
static void a_mesh_path_that_is_not_utf8_is_refused_by_name(void **state)
{
  (void)state;
  make_folder("f\xfc");
  write_text("f\xfc/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_scene("f\xfc/s.json",
              print_text("%s%s]", quoted("'objects': ["), mesh_object("c", "shell", "m.obj")));
  outcome o = program("run", "f\xfc/s.json", "-o", "out", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "is not UTF-8");
  o = program("run", "f\xfc/s.json", "-o", "out", "--json", NULL);
  assert_exit(o, 2);
  assert_int_equal(number(tree_of(o.out), "error.code"), 2);
  write_scene("f\xfc/t.json", quoted("'time': {'end': 0}"));
  assert_exit(program("run", "f\xfc/t.json", "-o", "out", NULL), 0);
  assert_string_equal(string(read_json("out/summary.json"), "scene"), "f\xef\xbf\xbd/t.json");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_vertex_of_no_triangle_is_named_and_stays_where_it_is),
      IN_FOLDER(a_seam_of_lines_is_refused_by_name_pinned_or_not),
      IN_FOLDER(an_unwelded_seam_is_listed_nearest_first_and_each_pair_once),
      IN_FOLDER(a_welded_seam_has_six_vertices_inside_and_eight_outside),
      IN_FOLDER(touching_is_found_before_the_run_and_is_no_crossing),
      IN_FOLDER(particles_do_not_exist_yet_and_are_refused_by_name),
      IN_FOLDER(a_coordinate_that_is_no_number_is_refused_with_its_line),
      IN_FOLDER(negative_indices_count_back_from_the_line_they_stand_on),
      IN_FOLDER(an_index_out_of_range_is_refused_with_line_value_and_range),
      IN_FOLDER(every_form_of_a_gmsh_file_gives_the_same_solid),
      IN_FOLDER(the_order_of_a_tetrahedrons_corners_does_not_matter),
      IN_FOLDER(flat_tetrahedra_are_refused_by_number_and_slivers_warned_of),
      IN_FOLDER(empty_scenes_and_zero_frames_end_well_with_a_note),
      IN_FOLDER(a_lone_particle_falls_as_implicit_euler_says),
      IN_FOLDER(spaces_accents_and_long_paths_work),
      IN_FOLDER(names_too_long_for_the_system_are_refused_at_the_start),
      IN_FOLDER(a_mesh_path_that_is_not_utf8_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
