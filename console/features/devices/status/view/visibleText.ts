/** Characters without a shape of their own that change how the text around them is drawn. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** A text of a device, letter by letter: what could disguise its other letters is written as its code (`\u202E`). */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}
