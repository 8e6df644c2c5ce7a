#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/lines.h"
#include "io/readers.h"
#include "mesh/groups.h"
#include "mesh/polygon.h"

/* unknown keywords that are noted; a file with more of them is told about once */
enum { NOTED = 8 };

typedef struct obj {
  abut_scanner s;
  abut_mesh_data *mesh;
  int64_t x_room, triangle_room, line_room;
  abut_group_builder groups;
  int32_t *active; /* groups of the last g line, and after them that of the last o line */
  int64_t active_room;
  int32_t named, object; /* how many are of g; the one of o or -1 */
  int32_t *corner;       /* of the statement at hand  (corners) */
  int64_t corner_room;
  int32_t corners;
  int64_t guesses; /* polygons without area or that cross themselves, and the line of the first */
  int first_guess;
  abut_word noted[NOTED];
  int note_count;
} obj;

static abut_status fault(obj *o, const char *text)
{
  return abut_scan_fault(&o->s, abut_fail(o->s.ctx, ABUT_BAD_FORMAT, "%s", text));
}

/* x y z, and what some programs add: w, or a colour, or both */
static abut_status read_vertex(obj *o)
{
  double value[8];
  int n = 0;
  for (abut_word word; abut_scan_word(&o->s, &word); n++) {
    if (n == 8) return fault(o, "a vertex has at most 8 numbers");
    ABUT_TRY(abut_word_double(&o->s, word, &value[n]));
  }
  if (n < 3) return fault(o, "a vertex needs three coordinates");
  abut_mesh_data *m = o->mesh;
  if (m->vertices == INT32_MAX) return fault(o, "more vertices than this version counts");
  ABUT_RESERVE(o->s.ctx, m->x, o->x_room, (int64_t)m->vertices + 1);
  m->x[m->vertices++] = v3(value[0], value[1], value[2]);
  return ABUT_OK;
}

static abut_status refuse_index(obj *o, abut_word word)
{
  int32_t n = o->mesh->vertices;
  if (n == 0) return fault(o, "there is no vertex before this line");
  return abut_scan_fault(&o->s, abut_fail(o->s.ctx, ABUT_BAD_FORMAT,
                                          "vertex %s of %d; indices run from 1 to %d or -%d to -1",
                                          abut_show(word).text, n, n, n));
}

/* the texture and normal numbers after the vertex: "/5", "//7", "/5/7", or left empty */
static bool skip_rest(const char *p, const char *end)
{
  for (int part = 0; p < end; part++) {
    if (*p++ != '/' || part == 2) return false;
    if (p < end && (*p == '-' || *p == '+')) p++;
    while (p < end && *p >= '0' && *p <= '9') p++;
  }
  return true;
}

static abut_status read_corner(obj *o, abut_word word)
{
  const char *end = word.text + word.length, *slash = memchr(word.text, '/', (size_t)word.length);
  abut_word number = {word.text, slash ? slash - word.text : word.length};
  if (!skip_rest(number.text + number.length, end))
    return abut_scan_fault(
        &o->s, abut_fail(o->s.ctx, ABUT_BAD_FORMAT,
                         "\"%s\" is no corner; write vertex, vertex/texture or vertex//normal",
                         abut_show(word).text));
  int64_t i, n = o->mesh->vertices;
  ABUT_TRY(abut_word_int(&o->s, number, &i));
  /* relative to the vertices read so far: later ones do not change what -1 means */
  if (i < 0) i += n + 1;
  if (i < 1 || i > n) return refuse_index(o, number);
  if (o->corners == INT32_MAX) return fault(o, "more corners than this version counts");
  ABUT_RESERVE(o->s.ctx, o->corner, o->corner_room, (int64_t)o->corners + 1);
  o->corner[o->corners++] = (int32_t)(i - 1);
  return ABUT_OK;
}

static abut_status read_corners(obj *o)
{
  o->corners = 0;
  for (abut_word word; abut_scan_word(&o->s, &word);) ABUT_TRY(read_corner(o, word));
  return ABUT_OK;
}

static abut_status add_to_groups(obj *o)
{
  for (int32_t g = 0; g < o->named + (o->object >= 0); g++)
    for (int32_t i = 0; i < o->corners; i++)
      ABUT_TRY(abut_group_add(o->s.ctx, &o->groups, o->active[g], o->corner[i]));
  return ABUT_OK;
}

static abut_status read_face(obj *o)
{
  int line = o->s.line;
  ABUT_TRY(read_corners(o));
  if (o->corners < 3) return fault(o, "a face needs at least three corners");
  abut_mesh_data *m = o->mesh;
  int64_t total = (int64_t)m->triangles + o->corners - 2;
  if (total > INT32_MAX) return fault(o, "more triangles than this version counts");
  ABUT_RESERVE(o->s.ctx, m->triangle, o->triangle_room, 3 * total);
  bool clean;
  int32_t *out = m->triangle + 3 * (int64_t)m->triangles;
  abut_status status = abut_polygon_cut(o->s.ctx, m->x, o->corner, o->corners, out, &clean);
  if (status != ABUT_OK) {
    if (status != ABUT_NO_MEMORY) abut_scan_fault(&o->s, status);
    return status;
  }
  if (!clean && o->guesses++ == 0) o->first_guess = line;
  m->triangles = (int32_t)total;
  return add_to_groups(o);
}

static abut_status read_polyline(obj *o)
{
  ABUT_TRY(read_corners(o));
  if (o->corners < 2) return fault(o, "a line needs at least two vertices");
  abut_mesh_data *m = o->mesh;
  int64_t total = (int64_t)m->lines + o->corners - 1;
  if (total > INT32_MAX) return fault(o, "more lines than this version counts");
  ABUT_RESERVE(o->s.ctx, m->line, o->line_room, 2 * total);
  for (int32_t i = 0; i + 1 < o->corners; i++, m->lines++) {
    m->line[2 * (int64_t)m->lines] = o->corner[i];
    m->line[2 * (int64_t)m->lines + 1] = o->corner[i + 1];
  }
  return add_to_groups(o);
}

/* "g a b": what follows belongs to a and to b */
static abut_status read_group(obj *o)
{
  int32_t n = 0, group;
  for (abut_word word; abut_scan_word(&o->s, &word); n++) {
    ABUT_TRY(abut_group_find(o->s.ctx, &o->groups, word.text, word.length, &group));
    ABUT_RESERVE(o->s.ctx, o->active, o->active_room, (int64_t)n + 2);
    o->active[n] = group;
  }
  ABUT_RESERVE(o->s.ctx, o->active, o->active_room, (int64_t)n + 1);
  o->active[n] = o->object;
  o->named = n;
  return ABUT_OK;
}

/* the name is the rest of the line, blanks and all, as Blender writes it */
static abut_status read_object(obj *o)
{
  abut_word name = abut_scan_rest(&o->s);
  o->object = -1;
  if (name.length == 0) return ABUT_OK;
  ABUT_TRY(abut_group_find(o->s.ctx, &o->groups, name.text, name.length, &o->object));
  ABUT_RESERVE(o->s.ctx, o->active, o->active_room, (int64_t)o->named + 1);
  o->active[o->named] = o->object;
  return ABUT_OK;
}

static const struct statement {
  const char *name;
  abut_status (*read)(obj *o); /* NULL: says nothing about the mesh */
} statements[] = {
    {"v", read_vertex}, {"f", read_face}, {"l", read_polyline}, {"g", read_group},
    {"o", read_object}, {"vt", NULL},     {"vn", NULL},         {"vp", NULL},
    {"p", NULL},        {"s", NULL},      {"usemtl", NULL},     {"mtllib", NULL},
};

static void note_unknown(obj *o, abut_word word)
{
  for (int i = 0; i < o->note_count && i < NOTED; i++)
    if (o->noted[i].length == word.length &&
        memcmp(o->noted[i].text, word.text, (size_t)word.length) == 0)
      return;
  if (o->note_count < NOTED) {
    o->noted[o->note_count++] = word;
    abut_note(o->s.ctx, "%s:%d: \"%s\" is not read", o->s.path, o->s.line, abut_show(word).text);
  } else if (o->note_count == NOTED) {
    o->note_count++;
    abut_note(o->s.ctx, "%s:%d: further unknown keywords are not read either", o->s.path,
              o->s.line);
  }
}

static abut_status read_statement(obj *o, abut_word keyword)
{
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
    if (abut_word_is(keyword, statements[i].name))
      return statements[i].read ? statements[i].read(o) : ABUT_OK;
  note_unknown(o, keyword);
  return ABUT_OK;
}

static abut_status read_all(obj *o)
{
  while (o->s.at < o->s.end) {
    abut_word keyword;
    if (abut_scan_word(&o->s, &keyword)) ABUT_TRY(read_statement(o, keyword));
    abut_scan_next_line(&o->s);
  }
  if (o->guesses)
    abut_warn(o->s.ctx,
              "%s:%d: %lld faces of more than three corners, this one first, have no area or cross "
              "themselves; how they were cut is a guess",
              o->s.path, o->first_guess, (long long)o->guesses);
  return abut_groups_finish(o->s.ctx, &o->groups, o->mesh);
}

/* a picture or a binary mesh under this name would read as an empty one, with notes */
static abut_status refuse_binary(obj *o)
{
  const char *zero = memchr(o->s.at, 0, (size_t)(o->s.end - o->s.at));
  if (!zero) return ABUT_OK;
  abut_scan_move(&o->s, zero);
  return fault(o, "a zero byte: this is not a text file");
}

abut_status abut_obj_parse(abut_context *ctx, const char *path, const char *data, int64_t size,
                           abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  obj o = {.mesh = mesh, .object = -1};
  abut_scan_start(&o.s, ctx, path, data, size);
  o.s.comment = '#';
  o.s.continued = true;
  abut_status status = refuse_binary(&o);
  if (status == ABUT_OK) status = read_all(&o);
  abut_groups_free(ctx, &o.groups);
  abut_free(ctx, o.active);
  abut_free(ctx, o.corner);
  if (status != ABUT_OK) abut_mesh_free(ctx, mesh);
  return status;
}

abut_status abut_obj_read(abut_context *ctx, const char *path, abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  char *data;
  int64_t size;
  ABUT_TRY(abut_file_read(ctx, path, &data, &size));
  abut_status status = abut_obj_parse(ctx, path, data, size, mesh);
  abut_free(ctx, data);
  return status;
}
