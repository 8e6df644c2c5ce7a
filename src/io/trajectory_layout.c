#include <string.h>

#include "base/memory.h"
#include "io/trajectory_file.h"

void abut_layout_free(abut_context *ctx, abut_layout *layout)
{
  for (int32_t o = 0; layout->object && o < layout->objects; o++) {
    abut_free(ctx, layout->object[o].name);
    abut_free(ctx, layout->object[o].kind);
    abut_free(ctx, layout->object[o].cell);
  }
  abut_free(ctx, layout->object);
  abut_free(ctx, layout->identity);
  abut_free(ctx, layout->radius);
  *layout = (abut_layout){0};
}

static bool object_sound(const abut_layout_object *o)
{
  if (o->points < 0 || o->cells < 0 || o->corners < 1 || o->corners > 4) return false;
  for (int64_t k = 0; k < (int64_t)o->corners * o->cells; k++)
    if (o->cell[k] < 0 || o->cell[k] >= o->points) return false;
  return true;
}

bool abut_layout_sound(const abut_layout *layout)
{
  int64_t points = 0;
  for (int32_t o = 0; o < layout->objects; o++) {
    if (layout->object[o].first != points || !object_sound(&layout->object[o])) return false;
    points += layout->object[o].points;
  }
  if (points != layout->points) return false;
  for (int32_t p = 0; p < layout->points; p++)
    if (layout->identity[p] < 0 || layout->identity[p] >= layout->points) return false;
  return true;
}

static int64_t longer(int64_t size, const char *text)
{
  int64_t length = (int64_t)strlen(text);
  return length > size ? length : size;
}

void abut_index_measure(const abut_layout *layout, int64_t room, abut_index *index)
{
  *index = (abut_index){.magic = ABUT_INDEX_MAGIC,
                        .magic_2 = ABUT_INDEX_MAGIC_2,
                        .version = ABUT_INDEX_VERSION,
                        .room = room,
                        .points = layout->points,
                        .objects = layout->objects,
                        .name_size = 1,
                        .kind_size = 1};
  for (int32_t o = 0; o < layout->objects; o++) {
    const abut_layout_object *object = &layout->object[o];
    index->cells += object->cells;
    index->corners += (int64_t)object->cells * object->corners;
    index->name_size = longer(index->name_size, object->name);
    index->kind_size = longer(index->kind_size, object->kind);
  }
}

/* VTK's number for a cell of that many corners: vertex, line, triangle, tetrahedron */
static uint8_t cell_type(int32_t corners)
{
  static const uint8_t type[] = {0, 1, 3, 5, 10};
  return type[corners];
}

static void store_object(const abut_layout_object *o, int32_t number, int64_t *cell,
                         int64_t *corner, const abut_index *index, char *prefix)
{
  int64_t *connectivity = (int64_t *)(void *)(prefix + index->connectivity_at) + *corner;
  int64_t *offset = (int64_t *)(void *)(prefix + index->offsets_at) + *cell;
  uint8_t *type = (uint8_t *)(prefix + index->types_at) + *cell;
  int32_t *object = (int32_t *)(void *)(prefix + index->object_at) + o->first;
  int32_t *range = (int32_t *)(void *)(prefix + index->ranges_at) + 4 * (int64_t)number;
  for (int32_t p = 0; p < o->points; p++) object[p] = number;
  for (int64_t k = 0; k < (int64_t)o->cells * o->corners; k++)
    connectivity[k] = (int64_t)o->first + o->cell[k];
  for (int32_t c = 0; c < o->cells; c++) {
    type[c] = cell_type(o->corners);
    offset[c + 1] = *corner + (int64_t)(c + 1) * o->corners;
  }
  range[0] = o->first;
  range[1] = o->points;
  range[2] = o->corners;
  range[3] = o->cells;
  memcpy(prefix + index->names_at + number * index->name_size, o->name, strlen(o->name));
  memcpy(prefix + index->kinds_at + number * index->kind_size, o->kind, strlen(o->kind));
  *cell += o->cells;
  *corner += (int64_t)o->cells * o->corners;
}

void abut_layout_store(const abut_layout *layout, const abut_index *index, char *prefix)
{
  int64_t cell = 0, corner = 0;
  for (int32_t o = 0; o < layout->objects; o++)
    store_object(&layout->object[o], o, &cell, &corner, index, prefix);
  if (layout->points) {
    size_t points = (size_t)layout->points;
    memcpy(prefix + index->identity_at, layout->identity, points * sizeof *layout->identity);
    memcpy(prefix + index->radius_at, layout->radius, points * sizeof *layout->radius);
  }
  memcpy(prefix + index->point_count_at, &index->points, sizeof index->points);
  memcpy(prefix + index->cell_count_at, &index->cells, sizeof index->cells);
  memcpy(prefix + index->corner_count_at, &index->corners, sizeof index->corners);
  /* one part a frame, and where its points begin */
  int64_t *parts = (int64_t *)(void *)(prefix + index->parts_at);
  int64_t *point = (int64_t *)(void *)(prefix + index->point_offsets_at);
  for (int64_t f = 0; f < index->room; f++) {
    parts[f] = 1;
    point[f] = f * index->points;
  }
}

/* text of at most size bytes that need not end with a zero */
static char *load_text(abut_context *ctx, const char *bytes, int64_t size)
{
  int64_t length = 0;
  while (length < size && bytes[length]) length++;
  char *text = abut_alloc(ctx, length + 1, 1);
  if (!text) return NULL;
  memcpy(text, bytes, (size_t)length);
  text[length] = '\0';
  return text;
}

static abut_status load_object(abut_context *ctx, const abut_index *index, const char *prefix,
                               int32_t number, int64_t *corner, abut_layout_object *o)
{
  const int32_t *range = (const int32_t *)(const void *)(prefix + index->ranges_at) + 4 * number;
  const int64_t *connectivity =
      (const int64_t *)(const void *)(prefix + index->connectivity_at) + *corner;
  *o = (abut_layout_object){
      .first = range[0], .points = range[1], .corners = range[2], .cells = range[3]};
  int64_t corners = (int64_t)o->corners * o->cells;
  if (corners < 0 || corners > index->corners - *corner) return ABUT_BAD_FORMAT;
  o->name = load_text(ctx, prefix + index->names_at + number * index->name_size, index->name_size);
  o->kind = load_text(ctx, prefix + index->kinds_at + number * index->kind_size, index->kind_size);
  if (!o->name || !o->kind) return ABUT_NO_MEMORY;
  ABUT_MAKE(ctx, o->cell, corners);
  for (int64_t k = 0; k < corners; k++) o->cell[k] = (int32_t)(connectivity[k] - o->first);
  *corner += corners;
  return ABUT_OK;
}

abut_status abut_layout_load(abut_context *ctx, const abut_index *index, const char *prefix,
                             abut_layout *layout)
{
  int64_t corner = 0;
  *layout = (abut_layout){.points = (int32_t)index->points};
  ABUT_MAKE_ZERO(ctx, layout->object, index->objects);
  layout->objects = (int32_t)index->objects;
  for (int32_t o = 0; o < layout->objects; o++)
    ABUT_TRY(load_object(ctx, index, prefix, o, &corner, &layout->object[o]));
  ABUT_MAKE(ctx, layout->identity, index->points);
  ABUT_MAKE(ctx, layout->radius, index->points);
  size_t points = (size_t)index->points;
  memcpy(layout->identity, prefix + index->identity_at, points * sizeof *layout->identity);
  memcpy(layout->radius, prefix + index->radius_at, points * sizeof *layout->radius);
  return abut_layout_sound(layout) ? ABUT_OK : ABUT_BAD_FORMAT;
}
