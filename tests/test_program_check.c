/* `abut check`: every kind of finding, their form in JSON and in words, meshes without a scene. */
#include "scene_base.h"

static json_t *check(const char *name, int code)
{
  outcome o = program("check", name, "--json", NULL);
  assert_exit(o, code);
  return tree_of(o.out);
}

static void assert_keys(json_t *object, const char *keys)
{
  char *all = print_text("%s", "");
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) all = print_text("%s%s%s", all, *all ? " " : "", key);
  assert_string_equal(all, keys);
}

/* a sheet with a sliver, a stray vertex, a repeated corner, two vertices a hair apart; a second one
   through the first; a third close to it; beads that overlap and touch */
static void write_everything(void)
{
  write_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 0 0\nv 1.5 1e-3 0\nv 9 9 9\n"
                      "v 1.00001 1.00001 0\nv 2 2 0\nv 1 2 0\n"
                      "f 1 2 3\nf 2 4 3\nf 2 5 6\nf 8 9 10\n");
  write_text("b.obj", "v 0.2 0.2 -1\nv 0.2 0.2 1\nv -5 0.2 1\nf 1 2 3\n");
  write_text("c.obj", "v 0 0 0.005\nv 0.3 0 0.005\nv 0 0.3 0.005\nf 1 2 3\n");
  write_text("s.json",
             quoted("{'abut': 1, 'contact': {'dhat': 1e-2, 'gap': 1e-3}, 'materials': {'m': "
                    "{'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': "
                    "150, 'thickness': 1e-3}}, 'objects': ["
                    "{'name': 'a', 'kind': 'shell', 'mesh': 'a.obj', 'material': 'm'},"
                    "{'name': 'b', 'kind': 'shell', 'mesh': 'b.obj', 'material': 'm'},"
                    "{'name': 'c', 'kind': 'shell', 'mesh': 'c.obj', 'material': 'm'},"
                    "{'name': 'beads', 'kind': 'spheres', 'centers': [[5,5,5], [5,5,5.5], [5,5,7], "
                    "[20,0,-2.5]], 'radii': [0.5, 0.5, 1, 0.5], 'density': 1},"
                    "{'name': 'floor', 'kind': 'plane', 'point': [0,0,-3]}]}"));
}

static void every_finding_has_exactly_the_stated_keys(void **state)
{
  (void)state;
  write_everything();
  json_t *report = check("s.json", 3), *f;
  assert_keys(report, "file errors warnings findings");
  assert_string_equal(string(report, "file"), "s.json");
  size_t k, errors = 0;
  char *kinds = print_text("%s", " ");
  json_array_foreach(find(report, "findings"), k, f)
  {
    assert_keys(f, "level kind objects elements position distance message");
    bool error = strcmp(string(f, "level"), "error") == 0;
    assert_true(error || strcmp(string(f, "level"), "warning") == 0);
    assert_true(!error || errors == k); /* errors first */
    errors += error;
    assert_true(json_array_size(find(f, "position")) == 3);
    assert_int_equal(json_array_size(find(f, "objects")), json_array_size(find(f, "elements")));
    json_t *e;
    size_t i;
    json_array_foreach(find(f, "elements"), i, e)
    {
      assert_true(json_is_string(json_array_get(e, 0)) && json_is_integer(json_array_get(e, 1)));
    }
    if (!contains(kinds, print_text(" %s ", string(f, "kind"))))
      kinds = print_text("%s%s ", kinds, string(f, "kind"));
    assert_true(strlen(string(f, "message")) > 10);
  }
  assert_int_equal(number(report, "errors"), errors);
  assert_int_equal(number(report, "warnings"), json_array_size(find(report, "findings")) - errors);
  static const char *const kind[] = {"crossing", "touching", "closer_than_dhat",
                                     "sliver",   "isolated", "near_coincident"};
  for (size_t i = 0; i < 6; i++) assert_contains(kinds, kind[i]);
}

static void the_words_say_the_same(void **state)
{
  (void)state;
  write_everything();
  outcome o = program("check", "s.json", NULL);
  assert_exit(o, 3);
  assert_contains(o.out, " (vertices 0, 1) crosses a face 0 (vertices 0, 1, 2) at (0.2, 0.2, 0)");
  assert_contains(o.out, "error: crossing: beads sphere 0 overlaps beads sphere 1");
  assert_contains(o.out, "warning: sliver: a: triangle 2 is a sliver");
  assert_contains(o.out, "warning: isolated: a: vertex 6 belongs to no cell");
  assert_contains(o.out, "warning: near_coincident: a: vertices 3 and 7 are 1.4e-05 m apart");
  assert_contains(o.out, "closer than dhat");
  assert_contains(o.out, print_text("s.json: %.0f errors, ", number(check("s.json", 3), "errors")));
}

/* beads whose surfaces meet in a point: neither apart nor overlapping */
static void spheres_that_just_touch_are_touching(void **state)
{
  (void)state;
  static const char *const scene[] = {"'centers': [[0,0,5], [0,0,6.5]], 'radii': [0.5, 1], ",
                                      "'centers': [[0,0,0.5]], 'radii': "
                                      "[0.5], "};
  for (int k = 0; k < 2; k++) {
    write_text("s.json", quoted("{'abut': 1, 'objects': [{'name': 'b', 'kind': 'spheres', %s"
                                "'density': 1}, {'name': 'p', 'kind': 'plane'}]}",
                                scene[k]));
    json_t *report = check("s.json", 3);
    assert_int_equal(json_array_size(find(report, "findings")), 1);
    assert_string_equal(string(report, "findings[0].kind"), "touching");
    assert_true(number(report, "findings[0].distance") == 0);
    outcome o = program("run", "s.json", "-o", "out", NULL);
    assert_exit(o, 3);
    assert_contains(o.err, "b sphere 0");
  }
}

static void degenerate_and_inverted_cells_are_errors(void **state)
{
  (void)state;
  write_text("t.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n"
                      "3 0 1 0\n4 0 0 1\n5 1 1 0\n$EndNodes\n$Elements\n2\n1 4 0 1 3 2 4\n"
                      "2 4 0 2 3 5 1\n$EndElements\n");
  json_t *report = check("t.msh", 3);
  assert_int_equal(number(report, "errors"), 2);
  assert_string_equal(string(report, "findings[0].kind"), "degenerate");
  assert_int_equal(number(report, "findings[0].elements[0][1]"), 1);
  assert_string_equal(string(report, "findings[1].kind"), "inverted");
  assert_int_equal(number(report, "findings[1].elements[0][1]"), 0);
  assert_string_equal(string(report, "findings[1].objects[0]"), "t.msh");
  write_text("d.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  report = check("d.obj", 3);
  assert_string_equal(string(report, "findings[0].kind"), "degenerate");
  assert_string_equal(string(report, "findings[0].elements[0][0]"), "face");
}

static void warnings_alone_are_exit_0(void **state)
{
  (void)state;
  write_text("w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nf 1 2 3\n");
  json_t *report = check("w.obj", 0);
  assert_int_equal(number(report, "errors"), 0);
  assert_int_equal(number(report, "warnings"), 1);
  /* an empty list is a list */
  write_text("s.json", quoted("%s", base_scene));
  report = check("s.json", 0);
  assert_true(json_is_array(find(report, "findings")));
  assert_contains(program("check", "s.json", NULL).out, "s.json: 0 errors, 0 warnings");
}

/* a MESH with tetrahedra is a solid: its inner faces and its crossing insides do not count */
static void a_mesh_with_tetrahedra_is_a_solid_else_a_shell(void **state)
{
  (void)state;
  write_text("t.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n"
                      "3 0 1 0\n4 0 0 1\n5 0.2 0.2 0.2\n$EndNodes\n$Elements\n5\n1 4 0 1 2 3 5\n"
                      "2 4 0 1 4 2 5\n3 4 0 1 3 4 5\n4 4 0 2 4 3 5\n5 2 2 1 1 1 2 3\n"
                      "$EndElements\n");
  assert_int_equal(json_array_size(find(check("t.msh", 0), "findings")), 0);
}

static void many_findings_are_cut_in_words_and_whole_in_json(void **state)
{
  (void)state;
  char *text = print_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (int k = 0; k < 70; k++) text = print_text("%sv %d 5 5\n", text, k);
  write_text("m.obj", text);
  outcome o = program("check", "m.obj", NULL);
  assert_exit(o, 0);
  assert_contains(o.out, "and 20 more; --json lists them all");
  assert_contains(o.out, "m.obj: 0 errors, 70 warnings");
  assert_int_equal(json_array_size(find(check("m.obj", 0), "findings")), 70);
}

static void faults_of_the_scene_itself_are_exit_2(void **state)
{
  (void)state;
  write_text("s.json", "{\"abut\": 1, \"objects\": [{\"name\": \"a\", \"kind\": \"shell\"}]}");
  outcome o = program("check", "s.json", "--json", NULL);
  assert_exit(o, 2);
  assert_string_equal(string(tree_of(o.out), "error.key"), "objects[0].mesh");
  write_text("l.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 3 3\nf 1 2 3\nl 3 4\n");
  o = program("check", "l.obj", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "line elements without mass");
}

/* `check --write P` wrote P.new and renamed it over whatever P was: a link became a plain file, a
   pipe too, and a P.new of the user's own was gone */
static void faults_are_written_through_links_and_leave_other_files_alone(void **state)
{
  (void)state;
  write_text("w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nf 1 2 3\n");
  write_text("target.obj", "old\n");
  write_text("bad.obj.new", "mine\n");
  write_text("target.obj.new", "mine too\n");
  assert_int_equal(symlink("target.obj", at("bad.obj")), 0);
  assert_int_equal(symlink("not there yet.obj", at("later.obj")), 0);
  assert_int_equal(chmod(at("target.obj"), 0640), 0);
  assert_exit(program("check", "w.obj", "--write", "bad.obj", NULL), 0);
  assert_exit(program("check", "w.obj", "--write", "later.obj", NULL), 0);
  struct stat info;
  static const char *const link[] = {"bad.obj", "later.obj"};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(lstat(at(link[k]), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
  }
  assert_contains(read_text("target.obj"), "v 7 7 7");
  assert_contains(read_text("not there yet.obj"), "v 7 7 7");
  assert_int_equal(stat(at("target.obj"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_string_equal(read_text("bad.obj.new"), "mine\n");
  assert_string_equal(read_text("target.obj.new"), "mine too\n");
}

static void faults_can_be_written_into_a_pipe(void **state)
{
  (void)state;
  write_text("w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nf 1 2 3\n");
  assert_int_equal(mkfifo(at("pipe"), 0600), 0);
  int file = open(at("pipe"), O_RDONLY | O_NONBLOCK);
  assert_true(file >= 0);
  assert_exit(program("check", "w.obj", "--write", "pipe", NULL), 0);
  char text[4096] = "";
  ssize_t n = read(file, text, sizeof text - 1);
  close(file);
  struct stat info;
  assert_int_equal(lstat(at("pipe"), &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
  assert_true(n > 0);
  assert_contains(text, "v 7 7 7");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(every_finding_has_exactly_the_stated_keys),
      IN_FOLDER(the_words_say_the_same),
      IN_FOLDER(spheres_that_just_touch_are_touching),
      IN_FOLDER(degenerate_and_inverted_cells_are_errors),
      IN_FOLDER(warnings_alone_are_exit_0),
      IN_FOLDER(a_mesh_with_tetrahedra_is_a_solid_else_a_shell),
      IN_FOLDER(many_findings_are_cut_in_words_and_whole_in_json),
      IN_FOLDER(faults_of_the_scene_itself_are_exit_2),
      IN_FOLDER(faults_are_written_through_links_and_leave_other_files_alone),
      IN_FOLDER(faults_can_be_written_into_a_pipe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
