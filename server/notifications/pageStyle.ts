import { createHash } from 'node:crypto'

/** The whole style of such pages; both schemes are the console's (console/ui/style/tokens.css). */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:#eef2f5;--surface:#fff;--line:#d9e1e8;--input:#84929e;--text:#17212b;--dim:#526272;
--brand:#00708f;--on-brand:#fff;--lit:#147a45;--planned:#586573;--dark:#c2261d;--unknown:#8a5a00;--none:#d9e1e8}
@media (prefers-color-scheme:dark){:root{--bg:#0b1016;--surface:#121a22;--line:#22303c;--input:#566879;--text:#e6edf3;
--dim:#9aabba;--brand:#35c4e8;--on-brand:#0b1016;--lit:#3fce82;--planned:#93a1af;--dark:#ff7066;--unknown:#f5b83d;--none:#35475a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.45 "IBM Plex Sans",system-ui,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere}
main{max-width:880px;margin:0 auto;padding:24px 16px 40px}
h1{margin:0;font-size:22px;line-height:1.25}h2{margin:0 0 8px;font-size:15px}h3{margin:12px 0 4px;font-size:13px}
p{margin:4px 0}.dim,time{color:var(--dim);font-size:12.5px}
section{margin-top:12px;padding:14px 16px;background:var(--surface);border:1px solid var(--line);border-radius:6px}
.summary{display:flex;gap:10px;align-items:baseline;margin:10px 0 2px;font-size:16px;font-weight:600}
.counts,.devices,.list{margin:0;padding:0;list-style:none}
.counts{display:flex;flex-wrap:wrap;gap:4px 20px;margin-top:6px}
.devices{columns:3 230px;column-gap:24px}.devices li{display:flex;gap:8px;break-inside:avoid;padding:2px 0}
.devices .word{margin-left:auto;color:var(--dim);white-space:nowrap}
.list li{padding:8px 0;border-top:1px solid var(--line)}.list li:first-child{border-top:0;padding-top:0}
.list li:last-child{padding-bottom:0}.list b{display:block}
.mark{font-style:normal}.lit{color:var(--lit)}.planned{color:var(--planned)}.dark{color:var(--dark)}.unknown{color:var(--unknown)}
details>summary{cursor:pointer;padding:2px 0}
.bars{display:block;width:100%;height:44px}.bars rect{fill:var(--lit)}.bars .some{fill:var(--unknown)}
.bars .much{fill:var(--dark)}.bars .no{fill:var(--none)}
.figures{display:flex;gap:24px;margin:0 0 8px}.figures div{display:flex;gap:8px;align-items:baseline}
.figures dt{color:var(--dim)}.figures dd{margin:0;font-size:18px;font-weight:600;font-variant-numeric:tabular-nums}
form{display:flex;flex-wrap:wrap;gap:8px;align-items:end;margin-top:6px}label{font-size:12.5px;flex:1 1 220px;min-width:0}
input,button{font:inherit;height:36px;border-radius:4px}
input{display:block;width:100%;margin-top:2px;padding:0 10px;background:var(--surface);color:inherit;border:1px solid var(--input)}
button{padding:0 16px;border:0;background:var(--brand);color:var(--on-brand);font-weight:600;cursor:pointer}
a{color:var(--brand)}:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
footer{margin-top:16px;color:var(--dim);font-size:12px}
@media print{:root{color-scheme:light;--bg:#fff;--surface:#fff;--text:#000;--dim:#333;--line:#bbb;--lit:#147a45;--planned:#586573;
--dark:#c2261d;--unknown:#8a5a00;--none:#ccc}body{font-size:12px}main{max-width:none;padding:0}section{break-inside:avoid-page}
.no-print,form{display:none}details::details-content{content-visibility:visible;block-size:auto}}
`

/** Pages have no script, no picture and nothing from elsewhere: only this style, and forms to their own origin. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
