#include "io/export.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/frame_slice.h"
#include "mesh/topology.h"

static bool plain(char c)
{
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

/* one _ for each character that is not plain: the later bytes of a character in UTF-8 count not */
static char *plain_name(abut_context *ctx, const char *name)
{
  char *copy = abut_copy_text(ctx, name[0] ? name : "_"), *to = copy;
  for (const char *from = copy; copy && *from; from++)
    if (((unsigned char)*from & 0xc0) != 0x80) *to++ = plain(*from) ? *from : '_';
  if (copy) *to = '\0';
  return copy;
}

/* whether a name that stays as it is, or an earlier one, is the same */
static bool taken(const abut_export_plan *plan, int32_t number, const char *file)
{
  for (int32_t o = 0; o < plan->objects; o++) {
    bool kept = strcmp(plan->object[o].object->name, plan->object[o].file) == 0;
    if (o != number && (kept || o < number) && strcmp(plan->object[o].file, file) == 0) return true;
  }
  return false;
}

static abut_status make_distinct(abut_context *ctx, const abut_export_plan *plan, int32_t number)
{
  abut_export_object *e = &plan->object[number];
  if (strcmp(e->file, e->object->name) == 0 || !taken(plan, number, e->file)) return ABUT_OK;
  abut_text name = {0};
  abut_status status = ABUT_OK;
  for (int32_t k = 2; status == ABUT_OK; k++) {
    name.length = 0;
    status = abut_text_add(ctx, &name, "%s_%d", e->file, k);
    if (status == ABUT_OK && !taken(plan, number, name.data)) break;
  }
  if (status == ABUT_OK) {
    abut_note(ctx, "object \"%s\" is exported as %s, another is %s", e->object->name, name.data,
              e->file);
    abut_free(ctx, e->file);
    e->file = name.data;
  } else {
    abut_text_free(ctx, &name);
  }
  return status;
}

static abut_status plan_object(abut_context *ctx, const abut_layout *layout, int32_t number,
                               abut_export_object *e)
{
  const abut_layout_object *o = &layout->object[number];
  *e = (abut_export_object){.object = o,
                            .file = plain_name(ctx, o->name),
                            .radius = layout->radius + o->first,
                            .corners = o->corners,
                            .cells = o->cells,
                            .cell = o->cell};
  if (!e->file) return ABUT_NO_MEMORY;
  if (o->corners != 4) return ABUT_OK;
  ABUT_TRY(abut_boundary_of(ctx, o->cell, o->cells, &e->boundary, &e->cells));
  e->corners = 3;
  e->cell = e->boundary;
  return ABUT_OK;
}

static abut_status make_plan(abut_context *ctx, const abut_layout *layout, abut_export_plan *plan)
{
  ABUT_MAKE_ZERO(ctx, plan->object, layout->objects);
  for (; plan->objects < layout->objects; plan->objects++) {
    abut_status status = plan_object(ctx, layout, plan->objects, &plan->object[plan->objects]);
    if (status != ABUT_OK) {
      plan->objects++;
      return status;
    }
    int32_t points = layout->object[plan->objects].points;
    if (points > plan->most_points) plan->most_points = points;
  }
  for (int32_t o = 0; o < plan->objects; o++) ABUT_TRY(make_distinct(ctx, plan, o));
  return ABUT_OK;
}

abut_status abut_export_begin(abut_context *ctx, const abut_layout *layout, const char *folder,
                              abut_export_plan *plan)
{
  *plan = (abut_export_plan){0};
  ABUT_TRY(abut_folder_make(ctx, folder));
  abut_status status = make_plan(ctx, layout, plan);
  if (status != ABUT_OK) abut_export_end(ctx, plan);
  return status;
}

void abut_export_end(abut_context *ctx, abut_export_plan *plan)
{
  for (int32_t o = 0; o < plan->objects; o++) {
    abut_free(ctx, plan->object[o].file);
    abut_free(ctx, plan->object[o].boundary);
  }
  abut_free(ctx, plan->object);
  *plan = (abut_export_plan){0};
}

char *abut_export_path(abut_context *ctx, const char *folder, const char *name, const char *tail)
{
  abut_text file = {0};
  char *path = NULL;
  if (abut_text_add(ctx, &file, "%s%s", name, tail) == ABUT_OK)
    path = abut_path_join(ctx, folder, file.data);
  abut_text_free(ctx, &file);
  return path;
}

static abut_status write_one(abut_context *ctx, const abut_export_object *object, const vec3 *x,
                             const char *path, abut_export_fn *write)
{
  abut_output out;
  ABUT_TRY(abut_output_open(ctx, path, &out));
  abut_status status = write(ctx, &out, object, x);
  if (status == ABUT_OK) status = abut_output_finish(ctx, &out);
  abut_output_free(ctx, &out);
  return status;
}

static abut_status write_frame(abut_context *ctx, abut_trajectory *t, int64_t frame,
                               const abut_export_plan *plan, const char *folder, const char *suffix,
                               abut_export_fn *write, vec3 *x)
{
  char tail[64];
  snprintf(tail, sizeof tail, "_%06lld.%s", (long long)frame, suffix);
  for (int32_t o = 0; o < plan->objects; o++) {
    const abut_export_object *e = &plan->object[o];
    ABUT_TRY(abut_trajectory_read_points(ctx, t, frame, e->object->first, e->object->points, x));
    char *path = abut_export_path(ctx, folder, e->file, tail);
    abut_status status = path ? write_one(ctx, e, x, path, write) : ABUT_NO_MEMORY;
    abut_free(ctx, path);
    if (status != ABUT_OK) return status;
  }
  return ABUT_OK;
}

abut_status abut_export_sequence(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                                 const char *folder, const char *suffix, abut_export_fn *write)
{
  abut_export_plan plan;
  ABUT_TRY(abut_export_begin(ctx, abut_trajectory_layout(t), folder, &plan));
  vec3 *x = ABUT_NEW(ctx, vec3, plan.most_points);
  abut_status status = x ? ABUT_OK : ABUT_NO_MEMORY;
  int64_t count = abut_frame_slice_count(frames);
  for (int64_t k = 0; k < count && status == ABUT_OK; k++)
    status = write_frame(ctx, t, frames.first + k * frames.step, &plan, folder, suffix, write, x);
  abut_free(ctx, x);
  abut_export_end(ctx, &plan);
  return status;
}
