import { createHash } from 'node:crypto';

/** The style of every page. It is the same text each time, so that its hash is the only style that the policy of a page allows. */
export const style = `
:root { color-scheme: light dark; --ink: #1d2127; --soft: #646b76; --line: #e3e5e9; --ground: #fff; --head: #f6f7f9; --over: #f0f4fa; --link: #0a58b0; --mark: #9a3b00 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6ea; --soft: #99a0ab; --line: #31353c; --ground: #17191d; --head: #1f2227; --over: #23282f; --link: #82b7f5; --mark: #f0a36b }
}
* { box-sizing: border-box }
body { margin: 0; padding: 0 1.5rem 3rem; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; width: max-content; min-width: 100% }
a { color: var(--link); text-decoration: none }
a:hover { text-decoration: underline }
header, footer { position: sticky; left: 1.5rem; max-width: calc(100vw - 3rem); padding: 1.25rem 0 .75rem }
header nav { color: var(--soft) }
h1 { margin: .15rem 0; font-size: 1.35rem; font-weight: 600; overflow-wrap: anywhere }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem; font-weight: 600 }
p { margin: .25rem 0; color: var(--soft) }
main { max-width: none }
ul { margin: .25rem 0; padding-left: 1.1rem }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums }
th { position: sticky; top: 0; z-index: 1; background: var(--head); text-align: left; font-weight: 600; white-space: nowrap; border-top: 1px solid var(--line) }
th small { display: block; color: var(--soft); font-weight: 400; font-size: .75rem }
th, td { padding: .4rem .85rem; border-bottom: 1px solid var(--line); vertical-align: top }
td { max-width: 36rem; white-space: pre-wrap; overflow-wrap: anywhere }
tbody tr:hover td { background: var(--over) }
.n { text-align: right; white-space: nowrap }
.code, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92em }
.null, .more { color: var(--soft); font-style: italic }
.sign { border: 1px solid var(--mark); border-radius: 3px; padding: 0 .2em; color: var(--mark); font: .78em ui-monospace, Menlo, Consolas, monospace }
`;

/** Allows a page nothing but this style: no script, no picture, no form, no frame around it. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
