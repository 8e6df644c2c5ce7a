/* scene_same.c: do two scene files, as run, tell of the same run? */
#include "io/scene_file.h"

/* the tree without what a resumed run may change */
static abut_status comparable(abut_context *ctx, const json_t *root, json_t **out)
{
  ABUT_JSON_MAKE(ctx, *out, json_deep_copy(root));
  json_object_del(*out, "version");
  json_object_del(*out, "threads");
  json_object_del(*out, "output");
  json_object_del(*out, "name");
  json_object_del(json_object_get(*out, "time"), "end");
  return ABUT_OK;
}

static bool same_value(const json_t *a, const json_t *b);

static bool same_members(const json_t *a, const json_t *b)
{
  const char *name;
  json_t *value;
  if (json_object_size(a) != json_object_size(b)) return false;
  json_object_foreach((json_t *)(uintptr_t)a, name, value)
  {
    if (!same_value(value, json_object_get(b, name))) return false;
  }
  return true;
}

/* 1 and 1.0 are the same */
static bool same_value(const json_t *a, const json_t *b)
{
  if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
  if (json_is_object(a) && json_is_object(b)) return same_members(a, b);
  if (!json_is_array(a) || !json_is_array(b)) return json_equal(a, b);
  if (json_array_size(a) != json_array_size(b)) return false;
  for (size_t k = 0; k < json_array_size(a); k++)
    if (!same_value(json_array_get(a, k), json_array_get(b, k))) return false;
  return true;
}

abut_status abut_scene_file_same(abut_context *ctx, const json_t *a, const json_t *b, bool *same)
{
  json_t *x = NULL, *y = NULL;
  abut_status status = comparable(ctx, a, &x);
  if (status == ABUT_OK) status = comparable(ctx, b, &y);
  *same = status == ABUT_OK && same_value(x, y);
  json_decref(x);
  json_decref(y);
  return status;
}
