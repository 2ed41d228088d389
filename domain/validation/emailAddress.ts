/**
 * An address that mail servers accept: dots between words, and a domain that ends with letters. A domain may be in any
 * script, since its name for mail servers (`xn--…`) can be computed; the part before the `@` may not.
 */
export const EMAIL_ADDRESS =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+(?:xn--[A-Za-z0-9-]+|[\p{L}\p{M}]{2,})$/u

export const isEmailOrEmpty = (text: string) => text === '' || EMAIL_ADDRESS.test(text)
