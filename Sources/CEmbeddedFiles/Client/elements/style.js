// The style of the elements: one sheet in each of their shadow trees. A page changes it by custom properties, which begin
// with `--menud-`, and by `::part()`.

const text = `
:host {
  --_panel: var(--menud-panel, light-dark(#ffffff, #1c1c23));
  --_raised: var(--menud-raised, light-dark(#f7f7fa, #24242d));
  --_line: var(--menud-line, light-dark(#dcdbe3, #34343f));
  --_faint: var(--menud-faint, light-dark(#ecebf1, #2a2a34));
  --_text: var(--menud-text, light-dark(#1c1b22, #ecebf2));
  --_soft: var(--menud-soft, light-dark(#5d5b69, #a3a1b2));
  --_accent: var(--menud-accent, light-dark(#3d3bd9, #9d9bff));
  --_on-accent: var(--menud-on-accent, light-dark(#ffffff, #14132b));
  --_tint: var(--menud-tint, light-dark(#ecebff, #2b2a52));
  --_danger: var(--menud-danger, light-dark(#b3261e, #ff9d94));
  --_warning: var(--menud-warning, light-dark(#8a5300, #f0c074));
  --_radius: var(--menud-radius, 7px);
  --_lift: var(--menud-shadow, 0 2px 6px light-dark(#1c1b221f, #0006), 0 16px 48px light-dark(#1c1b2233, #000a));
  --_font: var(--menud-font, 13px/1.45 Inter, system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif);
  display: block;
  font: var(--_font);
  color: var(--_text);
  text-align: start;
}
:host(menud-palette), :host(menud-keys), :host(menud-context-menu), :host(menud-notices), :host(menud-dialog) { display: contents; }
:host(menud-button) { display: inline-block; }
:host([hidden]) { display: none; }

* { box-sizing: border-box; }
h2, h3, p, ul { margin: 0; padding: 0; }
h2 { font-size: 16px; font-weight: 650; letter-spacing: -.005em; }
h3 { font-size: 12px; font-weight: 600; color: var(--_soft); }
ul { list-style: none; }
kbd { font-family: inherit; font-size: 12px; color: var(--_soft); letter-spacing: .04em; }
mark { background: none; color: inherit; }
small { font-size: 11.5px; color: var(--_soft); }
.gap { flex: 1; }
.row { display: flex; align-items: center; gap: 8px; }
.hint { color: var(--_soft); }
.image { inline-size: 16px; block-size: 16px; vertical-align: -3px; }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }

button, input, select, textarea { font: inherit; color: inherit; }
button, select { block-size: 28px; padding: 0 11px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_panel); cursor: default; white-space: nowrap; }
button:hover { background: var(--_raised); }
button:active { background: var(--_faint); }
button:disabled { opacity: .5; }
button.primary { border-color: transparent; background: var(--_accent); color: var(--_on-accent); font-weight: 550; }
button.primary:hover:not(:disabled) { filter: brightness(1.08); }
button[aria-pressed="true"] { background: var(--_tint); color: var(--_accent); border-color: transparent; font-weight: 600; }
::placeholder { color: var(--_soft); opacity: 1; }

/* Menus. */
:host(menud-menu-bar) { display: flex; flex-wrap: wrap; align-items: center; position: relative; }
.menubar { display: flex; flex-wrap: wrap; align-items: center; min-block-size: 36px; padding: 0 8px; }
.menubar.empty { color: var(--_soft); padding: 0 16px; }
.hindrance { color: var(--_soft); padding: 0 12px; }
.hindrance:empty { display: none; }
.title { position: relative; }
.title > button { border: 0; background: none; block-size: 26px; padding: 0 11px; border-radius: 6px; font-size: 13.5px; }
.title:first-child > button { font-weight: 700; }
.title > button:hover { background: var(--_faint); }
.title > button.off { color: var(--_soft); }
.title > button[aria-expanded="true"] { background: var(--_accent); color: var(--_on-accent); }
.popup { position: absolute; z-index: 20; top: calc(100% + 5px); inset-inline-start: 0; min-inline-size: 236px; max-inline-size: 360px; max-block-size: min(70vh, 640px); padding: 5px; border-radius: calc(var(--_radius) + 3px); background: var(--_panel); border: 1px solid var(--_line); box-shadow: var(--_lift); }
.popup:not(:has(.popup)) { overflow-y: auto; }
.popup .popup { top: -6px; inset-inline-start: calc(100% + 4px); }
.sub { position: relative; }
.context > .popup { position: fixed; inset-inline-start: auto; }
.popup hr { border: 0; border-top: 1px solid var(--_faint); margin: 5px 10px; }
.popup button { display: grid; grid-template-columns: 20px 1fr auto; align-items: center; inline-size: 100%; block-size: auto; min-block-size: 27px; padding-block: 3px; padding-inline: 4px 10px; border: 0; border-radius: 6px; background: none; text-align: start; white-space: normal; content-visibility: auto; contain-intrinsic-size: auto 27px; }
.popup .mark { text-align: center; font-weight: 700; font-size: 12px; }
.popup .name { display: grid; margin-inline-end: 26px; overflow-wrap: anywhere; }
.popup .key { color: var(--_soft); letter-spacing: .05em; font-size: 12.5px; }
.popup button:hover, .popup button:focus, .popup button[aria-expanded="true"] { background: var(--_accent); color: var(--_on-accent); outline: none; }
.popup button:is(:hover, :focus, [aria-expanded="true"]) :is(.key, small) { color: inherit; }
.popup button.loud { color: var(--_danger); }
.popup button.off { color: var(--_soft); }
.popup button.off:is(:hover, :focus) { background: var(--_faint); color: var(--_soft); }
.popup .reason { display: none; }
.popup button.off:is(:hover, :focus) .reason { display: block; }
.popup button.loud:not(.off):is(:hover, :focus) { background: var(--_danger); color: var(--_panel); }
.popup .nothing { padding: 5px 12px; color: var(--_soft); }
.popup button.failed { color: var(--_warning); }

/* Buttons. */
.toolbar, .touchbar { display: flex; align-items: center; gap: 6px; padding: 8px 12px; flex-wrap: wrap; }
:is(.toolbar, .touchbar) button.failed { color: var(--_warning); border-color: var(--_warning); }
.toolbar button, button.single { min-block-size: 30px; block-size: auto; max-inline-size: 100%; overflow: hidden; text-overflow: ellipsis; }
:is(.toolbar button, button.single).off { color: var(--_soft); border-style: dashed; }
:is(.toolbar button, button.single).loud:not(.off) { color: var(--_danger); }
.image + * { margin-inline-start: 6px; }
.touchbar { margin: 0 12px 10px; padding: 4px 6px; border-radius: 9px; background: #09090c; color: #f2f2f7; min-block-size: 36px; }
.touchbar button, .touchbar .slot { block-size: 26px; padding: 0 16px; border: 0; border-radius: 6px; background: #33333b; color: #fff; line-height: 26px; }
.touchbar button.on { background: #6a68ff; }
.touchbar button.off { color: #9b9aa8; }

/* Dialogs: the palette, forms, questions. */
dialog { border: 0; border-radius: calc(2 * var(--_radius)); padding: 0; color: inherit; background: var(--_panel); box-shadow: var(--_lift); max-inline-size: min(440px, calc(100vw - 32px)); }
dialog::backdrop { background: #0b0b1440; }
dialog form { display: grid; gap: 12px; padding: 20px; max-block-size: 82vh; overflow: auto; overflow-wrap: anywhere; }
dialog p { color: var(--_soft); }
dialog label { display: grid; gap: 5px; color: var(--_soft); }
dialog :is(input, textarea) { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_raised); }
dialog input { block-size: 34px; padding: 0 11px; color: var(--_text); }
dialog .row { justify-content: flex-end; }
.parameters { inline-size: min(460px, calc(100vw - 24px)); }
.field { display: grid; gap: 4px; }
.field :is(label, .label) { display: flex; gap: 8px; align-items: baseline; color: var(--_text); font-weight: 550; }
.field input[type="checkbox"] { justify-self: start; inline-size: 18px; block-size: 18px; }
.field .choices { display: grid; gap: 6px; max-block-size: 30vh; overflow: auto; padding: 4px 2px; }
.field .choices label { align-items: center; font-weight: 400; }
.field textarea { padding: 8px 11px; resize: vertical; }
textarea.code { font-family: ui-monospace, "SF Mono", "JetBrains Mono", "DejaVu Sans Mono", monospace; font-size: 12px; }
.field :is(input, select, textarea)[aria-invalid="true"] { border-color: var(--_danger); box-shadow: 0 0 0 1px var(--_danger); }
.field .error:empty, form > .error:empty { display: none; }
.error, form > p.error { color: var(--_danger); }
.palette { inline-size: min(620px, calc(100vw - 24px)); max-inline-size: none; margin-block-start: 12vh; overflow: hidden; }
.query { display: flex; align-items: center; gap: 8px; padding: 6px 12px; border-bottom: 1px solid var(--_faint); }
.query input { flex: 1; min-inline-size: 0; border: 0; background: none; font-size: 17px; block-size: 42px; outline: none; }
.count { display: inline-block; padding: 1px 8px; border-radius: 99px; font-size: 11.5px; font-weight: 550; background: var(--_faint); color: var(--_soft); }
.found { max-block-size: min(52vh, 460px); overflow: auto; padding: 6px; }
.found li { display: grid; grid-template-columns: 18px 1fr auto; align-items: center; gap: 8px; padding-block: 7px; padding-inline: 8px 12px; border-radius: 8px; }
.found .mark { font-weight: 700; text-align: center; }
.found .name { font-size: 14px; overflow-wrap: anywhere; }
.found small { margin-inline-start: 9px; }
.found .name mark { color: var(--_accent); font-weight: 700; }
.found li[aria-selected="true"] { background: var(--_accent); color: var(--_on-accent); }
.found li[aria-selected="true"] :is(mark, small, kbd) { color: inherit; }
.found li[aria-selected="true"] mark { text-decoration: underline; text-underline-offset: 3px; }
.found .off:not([aria-selected="true"]) .name { color: var(--_soft); }
.found .off[aria-selected="true"] { background: var(--_faint); color: var(--_text); }
.found .off[aria-selected="true"] :is(small, kbd) { color: var(--_soft); }
.found .failed.off :is(.name, small.reason), .found .failed.off:not([aria-selected="true"]) .name { color: var(--_warning); }
.found[hidden] { display: none; }
.palette .nothing { padding: 16px 20px; color: var(--_soft); }
.palette .nothing:empty { display: none; }
.palette footer { display: flex; gap: 18px; padding: 8px 16px; border-top: 1px solid var(--_faint); color: var(--_soft); font-size: 12px; }

/* Keys. */
.keysheet { position: fixed; inset: 8vh max(12px, calc(50vw - 460px)) auto; z-index: 35; max-block-size: 84vh; overflow: auto; padding: 18px 22px 12px; border-radius: calc(2 * var(--_radius)); background: var(--_panel); box-shadow: var(--_lift); outline: none; }
.keysheet h2 { margin-block-end: 10px; }
.keysheet .groups { columns: 3 240px; column-gap: 28px; }
.keysheet .group { break-inside: avoid; margin-block-end: 14px; }
.keysheet li { display: flex; align-items: baseline; justify-content: space-between; gap: 12px; padding: 3px 0; }
.keysheet li kbd { white-space: nowrap; }
.keysheet .name { overflow-wrap: anywhere; }
.keysheet .off .name, .keysheet small { color: var(--_soft); }
.keysheet small { display: block; }
.keysheet footer { color: var(--_soft); font-size: 12px; }

/* Notices. */
.notices { position: fixed; left: 50%; bottom: 22px; transform: translateX(-50%); z-index: 40; display: grid; gap: 8px; justify-items: center; pointer-events: none; }
.notice { display: grid; max-inline-size: min(560px, calc(100vw - 40px)); padding: 10px 16px; border-radius: 11px; border-inline-start: 4px solid #ff7a6e; background: #1c1b22; color: #f4f3f9; box-shadow: var(--_lift); overflow-wrap: anywhere; }
.notice span { color: #bdbbca; font-size: 12px; }

@media (max-width: 900px) {
  .menubar { padding: 0 2px; }
  .title > button { padding: 0 8px; }
  .popup { max-inline-size: calc(100vw - 24px); }
  .popup .popup { position: static; box-shadow: none; border: 0; border-inline-start: 2px solid var(--_line); border-radius: 0; margin-inline-start: 14px; min-inline-size: 0; }
  .popup:has(.popup) { overflow-y: auto; }
}

/* A contrast theme of the system replaces backgrounds and shadows. */
@media (forced-colors: active) {
  .popup button:is(:hover, :focus, [aria-expanded="true"]), .title > button[aria-expanded="true"], .found li[aria-selected="true"] { outline: 3px solid Highlight; outline-offset: -3px; }
  button[aria-pressed="true"], .touchbar button.on { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  :is(.off, button:disabled), .off * { color: GrayText !important; opacity: 1; }
  dialog, .keysheet, .notice, .count { border: 1px solid; }
}
`

const sheets = new WeakMap()

/** The sheets of an element in a document, each of which has its own; none without a window. */
export function sheetsIn(document) {
  if (!document.defaultView) return []
  if (!sheets.has(document)) {
    sheets.set(document, new document.defaultView.CSSStyleSheet())
    sheets.get(document).replaceSync(text)
  }
  return [sheets.get(document)]
}
