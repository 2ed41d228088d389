/** Something that can be seen: blanks, format characters and fillers (that of Hangul, empty Braille) show nothing. */
const SHOWN = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\u2800]/u

/** Line breaks and other controls, and what has the letters beside it read in another order than they stand. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** A name that nobody can see is as good as none. Of an empty text its length says so already. */
export const isVisibleOrEmpty = (text: string) => text.trim() === '' || SHOWN.test(text)

/** Two names that look alike must not differ by what only a machine reads, and a name stands in one line. */
export const isOneLine = (text: string) => !MISLEADING.test(text)
