/** An address as mail servers take it: dots between words, and a domain with a name of letters at its end. */
export const EMAIL_ADDRESS =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export const isEmailOrEmpty = (text: string) => text === '' || EMAIL_ADDRESS.test(text)
