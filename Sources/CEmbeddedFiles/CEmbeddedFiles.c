// The text files that the program contains. A new file needs an entry here; readers find files by their
// folder. C embeds them, since an embedded resource of the package manager is a Swift array literal with a
// number for each byte, which takes a minute to compile.
#include "CEmbeddedFiles.h"

typedef struct {
  const char *path;
  const unsigned char *text;
} File;

static const File files[] = {
    {"OpenAPI/document.json", (const unsigned char[]){
#embed "OpenAPI/document.json" suffix(, 0)
    }},
    {"OpenAPI/parameters.json", (const unsigned char[]){
#embed "OpenAPI/parameters.json" suffix(, 0)
    }},
    {"OpenAPI/messages.json", (const unsigned char[]){
#embed "OpenAPI/messages.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/common.json", (const unsigned char[]){
#embed "OpenAPI/schemas/common.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/rules.json", (const unsigned char[]){
#embed "OpenAPI/schemas/rules.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/commands.json", (const unsigned char[]){
#embed "OpenAPI/schemas/commands.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/menus.json", (const unsigned char[]){
#embed "OpenAPI/schemas/menus.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/sessions.json", (const unsigned char[]){
#embed "OpenAPI/schemas/sessions.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/responders.json", (const unsigned char[]){
#embed "OpenAPI/schemas/responders.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/lateResponders.json", (const unsigned char[]){
#embed "OpenAPI/schemas/lateResponders.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/deliveries.json", (const unsigned char[]){
#embed "OpenAPI/schemas/deliveries.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/tokens.json", (const unsigned char[]){
#embed "OpenAPI/schemas/tokens.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/history.json", (const unsigned char[]){
#embed "OpenAPI/schemas/history.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/mutations.json", (const unsigned char[]){
#embed "OpenAPI/schemas/mutations.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/questions.json", (const unsigned char[]){
#embed "OpenAPI/schemas/questions.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/actions.json", (const unsigned char[]){
#embed "OpenAPI/schemas/actions.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/keys.json", (const unsigned char[]){
#embed "OpenAPI/schemas/keys.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/storyboards.json", (const unsigned char[]){
#embed "OpenAPI/schemas/storyboards.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/events.json", (const unsigned char[]){
#embed "OpenAPI/schemas/events.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/undo.json", (const unsigned char[]){
#embed "OpenAPI/schemas/undo.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/messages.json", (const unsigned char[]){
#embed "OpenAPI/schemas/messages.json" suffix(, 0)
    }},
    {"OpenAPI/schemas/agents.json", (const unsigned char[]){
#embed "OpenAPI/schemas/agents.json" suffix(, 0)
    }},
    {"OpenAPI/examples/catalogue.json", (const unsigned char[]){
#embed "OpenAPI/examples/catalogue.json" suffix(, 0)
    }},
    {"OpenAPI/examples/sessions.json", (const unsigned char[]){
#embed "OpenAPI/examples/sessions.json" suffix(, 0)
    }},
    {"OpenAPI/examples/actions.json", (const unsigned char[]){
#embed "OpenAPI/examples/actions.json" suffix(, 0)
    }},
    {"OpenAPI/examples/keys.json", (const unsigned char[]){
#embed "OpenAPI/examples/keys.json" suffix(, 0)
    }},
    {"OpenAPI/examples/lateResponders.json", (const unsigned char[]){
#embed "OpenAPI/examples/lateResponders.json" suffix(, 0)
    }},
    {"OpenAPI/examples/lists.json", (const unsigned char[]){
#embed "OpenAPI/examples/lists.json" suffix(, 0)
    }},
    {"OpenAPI/examples/events.json", (const unsigned char[]){
#embed "OpenAPI/examples/events.json" suffix(, 0)
    }},
    {"OpenAPI/examples/messages.json", (const unsigned char[]){
#embed "OpenAPI/examples/messages.json" suffix(, 0)
    }},
    {"OpenAPI/examples/storyboards.json", (const unsigned char[]){
#embed "OpenAPI/examples/storyboards.json" suffix(, 0)
    }},
    {"OpenAPI/examples/deliveries.json", (const unsigned char[]){
#embed "OpenAPI/examples/deliveries.json" suffix(, 0)
    }},
    {"OpenAPI/examples/tokens.json", (const unsigned char[]){
#embed "OpenAPI/examples/tokens.json" suffix(, 0)
    }},
    {"OpenAPI/examples/undo.json", (const unsigned char[]){
#embed "OpenAPI/examples/undo.json" suffix(, 0)
    }},
    {"Client/menud.py", (const unsigned char[]){
#embed "Client/menud.py" suffix(, 0)
    }},
    {"Client/menud.js", (const unsigned char[]){
#embed "Client/menud.js" suffix(, 0)
    }},
    {"Client/menud.d.ts", (const unsigned char[]){
#embed "Client/menud.d.ts" suffix(, 0)
    }},
    {"Client/menud-elements.js", (const unsigned char[]){
#embed "Client/menud-elements.js" suffix(, 0)
    }},
    {"Client/menud-elements.d.ts", (const unsigned char[]){
#embed "Client/menud-elements.d.ts" suffix(, 0)
    }},
    {"Client/menud-agents.js", (const unsigned char[]){
#embed "Client/menud-agents.js" suffix(, 0)
    }},
    {"Client/menud-agents.d.ts", (const unsigned char[]){
#embed "Client/menud-agents.d.ts" suffix(, 0)
    }},
    {"Client/elements/dom.js", (const unsigned char[]){
#embed "Client/elements/dom.js" suffix(, 0)
    }},
    {"Client/elements/language.js", (const unsigned char[]){
#embed "Client/elements/language.js" suffix(, 0)
    }},
    {"Client/elements/words.js", (const unsigned char[]){
#embed "Client/elements/words.js" suffix(, 0)
    }},
    {"Client/elements/style.js", (const unsigned char[]){
#embed "Client/elements/style.js" suffix(, 0)
    }},
    {"Client/elements/notices.js", (const unsigned char[]){
#embed "Client/elements/notices.js" suffix(, 0)
    }},
    {"Client/elements/forms.js", (const unsigned char[]){
#embed "Client/elements/forms.js" suffix(, 0)
    }},
    {"Client/elements/view.js", (const unsigned char[]){
#embed "Client/elements/view.js" suffix(, 0)
    }},
    {"Client/elements/element.js", (const unsigned char[]){
#embed "Client/elements/element.js" suffix(, 0)
    }},
    {"Client/elements/session.js", (const unsigned char[]){
#embed "Client/elements/session.js" suffix(, 0)
    }},
    {"Client/elements/shortcuts.js", (const unsigned char[]){
#embed "Client/elements/shortcuts.js" suffix(, 0)
    }},
    {"Client/elements/menus.js", (const unsigned char[]){
#embed "Client/elements/menus.js" suffix(, 0)
    }},
    {"Client/elements/menu-bar.js", (const unsigned char[]){
#embed "Client/elements/menu-bar.js" suffix(, 0)
    }},
    {"Client/elements/context-menu.js", (const unsigned char[]){
#embed "Client/elements/context-menu.js" suffix(, 0)
    }},
    {"Client/elements/tools.js", (const unsigned char[]){
#embed "Client/elements/tools.js" suffix(, 0)
    }},
    {"Client/elements/palette.js", (const unsigned char[]){
#embed "Client/elements/palette.js" suffix(, 0)
    }},
    {"Client/elements/keys.js", (const unsigned char[]){
#embed "Client/elements/keys.js" suffix(, 0)
    }},
    {"Client/package.json", (const unsigned char[]){
#embed "Client/package.json" suffix(, 0)
    }},
    {"Console/index.html", (const unsigned char[]){
#embed "Console/index.html" suffix(, 0)
    }},
    {"Console/icon.svg", (const unsigned char[]){
#embed "Console/icon.svg" suffix(, 0)
    }},
    {"Console/console.css", (const unsigned char[]){
#embed "Console/console.css" suffix(, 0)
    }},
    {"Console/console.js", (const unsigned char[]){
#embed "Console/console.js" suffix(, 0)
    }},
    {"Console/elements.js", (const unsigned char[]){
#embed "Console/elements.js" suffix(, 0)
    }},
    {"Console/values.js", (const unsigned char[]){
#embed "Console/values.js" suffix(, 0)
    }},
    {"Console/words.js", (const unsigned char[]){
#embed "Console/words.js" suffix(, 0)
    }},
    {"Console/chrome.js", (const unsigned char[]){
#embed "Console/chrome.js" suffix(, 0)
    }},
    {"Console/connection.js", (const unsigned char[]){
#embed "Console/connection.js" suffix(, 0)
    }},
    {"Console/toolbars.js", (const unsigned char[]){
#embed "Console/toolbars.js" suffix(, 0)
    }},
    {"Console/graph.js", (const unsigned char[]){
#embed "Console/graph.js" suffix(, 0)
    }},
    {"Console/languages.js", (const unsigned char[]){
#embed "Console/languages.js" suffix(, 0)
    }},
    {"Console/layout.js", (const unsigned char[]){
#embed "Console/layout.js" suffix(, 0)
    }},
    {"Console/nodes.js", (const unsigned char[]){
#embed "Console/nodes.js" suffix(, 0)
    }},
    {"Console/way.js", (const unsigned char[]){
#embed "Console/way.js" suffix(, 0)
    }},
    {"Console/inspector.js", (const unsigned char[]){
#embed "Console/inspector.js" suffix(, 0)
    }},
    {"Console/steps.js", (const unsigned char[]){
#embed "Console/steps.js" suffix(, 0)
    }},
    {"Console/tried.js", (const unsigned char[]){
#embed "Console/tried.js" suffix(, 0)
    }},
    {"Console/rules.js", (const unsigned char[]){
#embed "Console/rules.js" suffix(, 0)
    }},
    {"Console/panels.js", (const unsigned char[]){
#embed "Console/panels.js" suffix(, 0)
    }},
    {"Console/state.js", (const unsigned char[]){
#embed "Console/state.js" suffix(, 0)
    }},
    {"Console/controllers.js", (const unsigned char[]){
#embed "Console/controllers.js" suffix(, 0)
    }},
    {"Console/undo.js", (const unsigned char[]){
#embed "Console/undo.js" suffix(, 0)
    }},
    {"Console/history.js", (const unsigned char[]){
#embed "Console/history.js" suffix(, 0)
    }},
    {"Console/deliveries.js", (const unsigned char[]){
#embed "Console/deliveries.js" suffix(, 0)
    }},
    {"Console/diagnostics.js", (const unsigned char[]){
#embed "Console/diagnostics.js" suffix(, 0)
    }},
    {"Console/events.js", (const unsigned char[]){
#embed "Console/events.js" suffix(, 0)
    }},
    {"Console/keymap.js", (const unsigned char[]){
#embed "Console/keymap.js" suffix(, 0)
    }},
    {"Console/splitter.js", (const unsigned char[]){
#embed "Console/splitter.js" suffix(, 0)
    }},
    {"OpenAPI/examples/agents.json", (const unsigned char[]){
#embed "OpenAPI/examples/agents.json" suffix(, 0)
    }},
};

static const size_t count = sizeof files / sizeof *files;

const char *embeddedPath(size_t index) {
  return index < count ? files[index].path : NULL;
}

const unsigned char *embeddedText(size_t index) {
  return index < count ? files[index].text : NULL;
}
