#include "io/msh.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/readers.h"

static abut_status bad_header(abut_msh *m, const char *text)
{
  return abut_msh_fault(m,
                        abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%s%s", abut_msh_where(m).text, text));
}

/* the four bytes of 1 tell the byte order */
static abut_status read_byte_order(abut_msh *m)
{
  int32_t one = 0;
  if (m->s.end - m->s.at >= 4) memcpy(&one, m->s.at, 4);
  m->swap = one == 0x01000000;
  if (one != 1 && !m->swap) return bad_header(m, "the mark of the byte order is not 1");
  m->s.at += 4;
  return ABUT_OK;
}

/* $MeshFormat: version, 0 for text or 1 for binary, bytes of a number */
static abut_status read_format(abut_msh *m)
{
  abut_word word;
  double version;
  int64_t binary, size;
  if (!abut_scan_word_anywhere(&m->s, &word) || !abut_word_is(word, "$MeshFormat"))
    return bad_header(m, "this is not an MSH file: it does not begin with $MeshFormat");
  if (!abut_scan_word_anywhere(&m->s, &word)) return bad_header(m, "the version is missing");
  ABUT_TRY(abut_word_double(&m->s, word, &version));
  if (!(version >= 2 && version < 3) && version != 4.1)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_UNSUPPORTED,
                                       "version %s is not read; save as version 4.1 or 2.2",
                                       abut_show(word).text));
  m->version = version < 3 ? 2 : 4;
  if (!abut_scan_word(&m->s, &word)) return bad_header(m, "the file type is missing");
  ABUT_TRY(abut_word_int(&m->s, word, &binary));
  if (binary != 0 && binary != 1) return bad_header(m, "the file type is not 0 or 1");
  if (!abut_scan_word(&m->s, &word)) return bad_header(m, "the data size is missing");
  ABUT_TRY(abut_word_int(&m->s, word, &size));
  if (size != 8 && !(size == 4 && m->version == 4))
    return bad_header(m, "the data size is not 8 bytes");
  m->size_bytes = (int)size;
  if (binary) {
    abut_scan_next_line(&m->s);
    m->binary = true;
    m->s.line = 0;
    ABUT_TRY(read_byte_order(m));
  }
  return abut_msh_take_end(m, "$EndMeshFormat");
}

/* the first "$End..." of that section that begins a line; NULL when there is none */
static const char *find_end(const abut_msh *m, abut_word section)
{
  const char *p = m->s.at;
  int64_t length = section.length - 1;
  while ((p = memchr(p, '$', (size_t)(m->s.end - p)))) {
    bool starts = p == m->start || p[-1] == '\n' || p[-1] == '\r';
    if (starts && m->s.end - p >= 4 + length && memcmp(p + 1, "End", 3) == 0 &&
        memcmp(p + 4, section.text + 1, (size_t)length) == 0 &&
        (m->s.end - p == 4 + length || (unsigned char)p[4 + length] <= ' '))
      return p;
    p++;
  }
  return NULL;
}

static abut_status skip_section(abut_msh *m, abut_word section)
{
  const char *end = find_end(m, section);
  if (!end)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                       "%ssection %s has no end; is the file cut off?",
                                       abut_msh_where(m).text, abut_show(section).text));
  if (!abut_word_is(section, "$Comments"))
    abut_note(m->s.ctx, "%s: section %s is skipped", m->s.path, abut_show(section).text);
  abut_scan_move(&m->s, end + section.length + 3);
  return ABUT_OK;
}

static abut_status only_once(abut_msh *m, bool *seen, const char *name)
{
  if (*seen)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%sa second section %s",
                                       abut_msh_where(m).text, name));
  *seen = true;
  return ABUT_OK;
}

static abut_status read_section(abut_msh *m, abut_word section)
{
  m->section_line = m->s.line;
  if (section.text[0] != '$' || section.length < 2)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                       "%sexpected a section such as $Nodes, found \"%s\"",
                                       abut_msh_where(m).text, abut_show(section).text));
  /* one line break and no more: what follows may be binary */
  if (m->binary) abut_scan_next_line(&m->s);
  if (abut_word_is(section, "$PhysicalNames")) return abut_msh_read_names(m);
  if (abut_word_is(section, "$Entities") && m->version == 4) return abut_msh_read_entities(m);
  if (abut_word_is(section, "$Nodes")) {
    ABUT_TRY(only_once(m, &m->has_nodes, "$Nodes"));
    return abut_msh_read_nodes(m);
  }
  if (abut_word_is(section, "$Elements")) {
    ABUT_TRY(only_once(m, &m->has_elements, "$Elements"));
    if (!m->has_nodes) return bad_header(m, "$Elements stands before $Nodes");
    return abut_msh_read_elements(m);
  }
  if (abut_word_is(section, "$ParametricNodes"))
    return bad_header(m, "$ParametricNodes are not read: save without parametric coordinates");
  return skip_section(m, section);
}

static abut_status read_file(abut_msh *m)
{
  ABUT_TRY(read_format(m));
  for (abut_word section; abut_scan_word_anywhere(&m->s, &section);)
    ABUT_TRY(read_section(m, section));
  if (!m->has_nodes || !m->has_elements)
    return bad_header(m, m->has_nodes ? "there is no section $Elements; is the file cut off?"
                                      : "there is no section $Nodes; is the file cut off?");
  return abut_groups_finish(m->s.ctx, &m->groups, m->mesh);
}

abut_status abut_msh_parse(abut_context *ctx, const char *path, const char *data, int64_t size,
                           abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  abut_msh m = {.mesh = mesh, .start = data};
  abut_scan_start(&m.s, ctx, path, data, size);
  abut_status status = read_file(&m);
  abut_groups_free(ctx, &m.groups);
  abut_free(ctx, m.name);
  abut_free(ctx, m.entity);
  abut_free(ctx, m.direct);
  abut_free(ctx, m.sorted);
  if (status != ABUT_OK) abut_mesh_free(ctx, mesh);
  return status;
}

abut_status abut_msh_read(abut_context *ctx, const char *path, abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  char *data;
  int64_t size;
  ABUT_TRY(abut_file_read(ctx, path, &data, &size));
  abut_status status = abut_msh_parse(ctx, path, data, size, mesh);
  abut_free(ctx, data);
  return status;
}
