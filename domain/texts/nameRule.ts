/** A visible character: blanks, format characters and fillers (that of Hangul, empty Braille) show nothing. */
const SHOWN = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\u2800]/u

/** Line breaks, other controls, and characters that reorder the letters beside them. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/**
 * Blanks, and characters that show as little, are removed at the ends of a text. Joiners and letter variants stay,
 * because an emoji or a word may end with them.
 */
const BLANK = /[\s\u00ad\u180e\u200b\u200c\u2060-\u2064\u2800\u3164\ufeff\uffa0]/

/** Returns the stored form of a text: without blanks around it, and empty if nothing of it is visible. */
export function tidied(text: string): string {
  if (!SHOWN.test(text)) return ''
  let [from, to] = [0, text.length]
  while (BLANK.test(text.charAt(from))) from++
  while (BLANK.test(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** Two names that look alike must not differ invisibly, and a name has one line. */
export const isOneLine = (text: string) => !MISLEADING.test(text)
