/** These characters have no shape of their own but change how the text around them is drawn. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** It writes every character of a device's text that could disguise the others as its code (`\u202E`). */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}
