// The editor: CodeMirror in a shadow root, where its styles need no inline style of the page.
import {
  bracketMatching, completionKeymap, defaultKeymap, drawSelection, EditorState, EditorView,
  HighlightStyle, highlightActiveLine, highlightSelectionMatches, history, historyKeymap,
  indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, searchKeymap, setDiagnostics,
  syntaxHighlighting, tags, yaml,
} from "./vendor/codemirror.js";
import { languageSupport } from "./language.js";
import { ruleLanguage } from "./tokens.js";

const LOOK = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: "0.9rem" },
  ".cm-gutters": { backgroundColor: "var(--soft)", color: "var(--ink)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent", outline: "1px solid var(--soft)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "0 4px 16px rgb(0 0 0 / .18)" },
  ".cm-tooltip .page": { maxWidth: "min(34rem, 80vw)", maxHeight: "18rem", overflow: "auto", padding: ".4rem .7rem", fontFamily: "system-ui, sans-serif", fontSize: ".88rem", lineHeight: "1.4" },
  ".cm-tooltip .page p": { margin: ".35rem 0" },
  ".cm-tooltip .page h3": { margin: ".3rem 0", fontSize: ".95rem" },
  ".cm-tooltip .page pre": { margin: ".35rem 0", padding: ".35rem .5rem", background: "var(--soft)", borderRadius: "4px", overflow: "auto", fontFamily: "ui-monospace, monospace" },
  ".cm-tooltip .page code": { fontFamily: "ui-monospace, monospace" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--mark)", color: "var(--on-mark)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "ui-monospace, monospace", maxWidth: "min(40rem, 90vw)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".75" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--mark) 30%, transparent) !important" },
});
const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--t-comment)", fontStyle: "italic" },
  { tag: [tags.definitionKeyword, tags.keyword], color: "var(--t-keyword)", fontWeight: "bold" },
  { tag: tags.className, color: "var(--ink)", fontWeight: "bold" },
  { tag: [tags.bool, tags.number], color: "var(--t-number)" },
  { tag: tags.string, color: "var(--t-text)" },
  { tag: tags.monospace, color: "var(--t-drawing)" },
  { tag: [tags.typeName, tags.propertyName], color: "var(--t-keyword)" },
  { tag: [tags.function(tags.variableName), tags.standard(tags.variableName)], color: "var(--t-word)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

export class Editor {
  constructor(parent, tokens, { changed, moved, save, format, path, flush }) {
    this.tokens = tokens;
    this.events = { changed, moved };
    this.silent = false;
    const root = parent.attachShadow({ mode: "open" });
    const commands = [
      { key: "Mod-s", run: () => { save(); return true; } },
      { key: "Shift-Alt-f", run: () => { format(); return true; } },
      ...completionKeymap, indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap,
    ];
    this.extensions = [
      lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(),
      highlightSelectionMatches(), lintGutter(), indentUnit.of("    "), keymap.of(commands),
      languageSupport({ path, flush }), syntaxHighlighting(COLOURS), LOOK, EditorView.lineWrapping,
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Text of the file" }),
      EditorView.updateListener.of((update) => this.updated(update)),
    ];
    this.view = new EditorView({ parent: root, root, state: this.stateOf("", "") });
  }

  stateOf(text, name, isFixed = false) {
    const extensions = [...this.extensions, this.languageOf(name), EditorState.readOnly.of(isFixed)];
    return EditorState.create({ doc: text, extensions });
  }

  languageOf(name) {
    return name.endsWith(".kb") ? ruleLanguage(this.tokens) : yaml();
  }

  updated(update) {
    if (update.docChanged && !this.silent) this.events.changed((at) => update.changes.mapPos(Math.min(at, update.startState.doc.length)));
    if (update.selectionSet || update.docChanged) this.events.moved();
  }

  get text() { return this.view.state.doc.toString(); }
  get at() { return this.view.state.selection.main.head; }

  show(text, name, isFixed) {
    this.view.setState(this.stateOf(text, name, isFixed));
  }

  // Another text of the same file: what is alike stays, and with it the cursor.
  replace(text) {
    const old = this.text;
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
    let end = 0;
    while (end < old.length - from && end < text.length - from && old.at(-1 - end) === text.at(-1 - end)) end += 1;
    this.change(from, old.length - end, text.slice(from, text.length - end));
  }

  change(from, to, insert) {
    this.view.dispatch({ changes: { from, to, insert } });
  }

  edit(edits) {
    this.view.dispatch({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })) });
  }

  go(at) {
    const head = Math.min(at, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: head }, effects: EditorView.scrollIntoView(head, { y: "center" }) });
    this.view.focus();
  }

  focus() { this.view.focus(); }

  // The end of a line, counted from 1.
  goLine(number) {
    this.go(this.view.state.doc.line(Math.min(number, this.view.state.doc.lines)).to);
  }

  // `path`: the file that is shown; a fix that changes others too is not offered.
  mark(findings, path) {
    const length = this.view.state.doc.length;
    const marks = findings.map((finding) => ({
      from: Math.min(finding.from, length),
      to: Math.min(Math.max(finding.to, finding.from), length),
      severity: finding.severity === "error" ? "error" : "warning",
      source: finding.code,
      message: finding.help ? `${finding.message}\n${finding.help}` : finding.message,
      actions: finding.fix.length && finding.fix.every((edit) => edit.path === path) ? [{ name: "mend it", apply: () => this.edit(finding.fix) }] : [],
    }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }
}
