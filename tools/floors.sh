#!/bin/sh
# Fails when an include points up, and lists functions and files over the limits of floors.txt.
cd "$(dirname "$0")/.." || exit 1
list=$(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.py' '*.sh' 2>/dev/null)
[ -n "$list" ] || list=$(find include src cli tests bench examples tools -name '*.[ch]' -o -name '*.py' -o -name '*.sh')
for f in $list; do [ -f "$f" ] && echo "$f"; done | xargs awk '
BEGIN {
  while ((getline line < "tools/floors.txt") > 0) {
    n = split(line, w, /[ \t]+/)
    if (w[1] ~ /^[0-9]+$/) floor[w[2]] = w[1] + 0
    else if (w[1] == "only") only[w[2]] = w[3]
    else if (w[1] == "public") outside[w[2]] = 1
    else if (w[1] == "file") own[w[2]] = w[3] + 0
    else if (w[1] == "limit") limit[w[2]] = w[3] + 0
  }
  bad = 0
}
function breach(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }
function file_end() {
  if (name != "" && last > limit["file"]) {
    printf "%s: %d lines, the limit is %d\n", name, last, limit["file"]; bad = 1
  }
}
FNR == 1 {
  file_end(); name = FILENAME; start = 0; split(FILENAME, part, "/"); top = part[1]; folder = part[2]
}
{ last = FNR }
FILENAME ~ /\.[ch]$/ && /^[ \t]*#[ \t]*include[ \t]*"/ {
  match($0, /"[^"]*"/); inc = substr($0, RSTART + 1, RLENGTH - 2); split(inc, to, "/")
  if (inc ~ /^\.\./) breach("relative include " inc)
  if (top in outside && to[1] in floor) breach(top " includes " inc ", it may see <abut.h> only")
  if (top == "src") {
    here = FILENAME in own ? own[FILENAME] : floor[folder]
    target = ("src/" inc) in own ? own["src/" inc] : floor[to[1]]
    if (!(to[1] in floor) && !(("src/" inc) in own)) breach("unknown floor of " inc)
    else if (to[1] != folder && target >= here) breach("floor " here " includes " inc " of floor " target)
    if (folder in only && to[1] != only[folder]) breach(folder " may include " only[folder] " only")
  }
}
FILENAME ~ /\.[ch]$/ && /^\{/ { start = FNR; head = previous }
FILENAME ~ /\.[ch]$/ && /^\}/ {
  if (start && FNR - start - 1 > limit["function"]) {
    printf "%s:%d: function of %d lines, the limit is %d: %s\n", FILENAME, start, FNR - start - 1, limit["function"], head; bad = 1
  }
  start = 0
}
{ previous = $0 }
END { file_end(); if (!bad) print "floors: clean"; exit bad }
'
