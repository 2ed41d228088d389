const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text from outside, so that HTML shows it and nothing else. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

const FONT = "font-family:'IBM Plex Sans','Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * Writes a page as mail programs need it: styles stand on their elements, and tables hold the width.
 *
 * @param body HTML whose texts are escaped; `why` the mail came, as text
 */
export const mailPage = (body: string, why: string) =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light"></head>' +
  `<body style="margin:0;padding:0;background:#eef2f5;color:#17212b;${FONT};font-size:14px;line-height:1.45">` +
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef2f5"><tr>' +
  '<td align="center" style="padding:16px 8px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" ' +
  'style="max-width:600px;background:#ffffff;border:1px solid #d9e1e8;border-radius:6px">' +
  `<tr><td style="padding:20px;overflow-wrap:anywhere;word-break:break-word">${body}</td></tr>` +
  `<tr><td style="padding:12px 20px;border-top:1px solid #d9e1e8;color:#526272;font-size:12px">${escaped(why)}</td></tr>` +
  '</table></td></tr></table></body></html>'

/** @param words plain text */
export const mailButton = (link: string, words: string) =>
  `<p style="margin:18px 0 0"><a href="${escaped(link)}" style="display:inline-block;padding:10px 18px;background:#00708f;` +
  `color:#ffffff;border-radius:4px;font-weight:600;text-decoration:none">${escaped(words)}</a></p>`

/** @param facts names and values, as plain text */
export const mailFacts = (facts: readonly (readonly [name: string, value: string])[]) =>
  `<table role="presentation" cellpadding="0" cellspacing="0">${facts
    .map(
      ([name, value]) =>
        `<tr><td style="padding:3px 16px 3px 0;color:#526272;vertical-align:top;white-space:nowrap">${escaped(name)}</td>` +
        `<td style="padding:3px 0">${escaped(value)}</td></tr>`,
    )
    .join('')}</table>`

/** @param words plain text */
export const mailTitle = (words: string) =>
  `<h2 style="margin:0 0 4px;font-size:18px;line-height:1.3">${escaped(words)}</h2>`

/** Writes a mail that asks its recipient to follow a link, and says why they need not. */
export const confirmation = (title: string, asks: string, link: string, why: string) => ({
  text: [asks, '', `Confirm: ${link}`, '', '-- ', why, ''].join('\n'),
  html: mailPage(`${mailTitle(title)}<p>${escaped(asks)}</p>${mailButton(link, 'Confirm')}`, why),
})
