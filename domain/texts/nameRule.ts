/** Something that can be seen: blanks, format characters and fillers (that of Hangul, empty Braille) show nothing. */
const SHOWN = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\u2800]/u

/** Line breaks and other controls, and what has the letters beside it read in another order than they stand. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/**
 * Blanks, and what shows as little, at the ends of a text. What joins or turns letters stays: an emoji or a word may end
 * with it.
 */
const BLANK = /[\s\u00ad\u180e\u200b\u200c\u2060-\u2064\u2800\u3164\ufeff\uffa0]/

/** A text as it is kept: without blanks around it, and empty where nothing of it can be seen. */
export function tidied(text: string): string {
  if (!SHOWN.test(text)) return ''
  let [from, to] = [0, text.length]
  while (BLANK.test(text.charAt(from))) from++
  while (BLANK.test(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** Two names that look alike must not differ by what only a machine reads, and a name stands in one line. */
export const isOneLine = (text: string) => !MISLEADING.test(text)
