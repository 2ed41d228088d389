/** Sentences about a field with invalid input (rules/messages 1); console and server share them. */
export const required = (field: string) => `${field} is required`
export const notAnEmail = (field: string) => `This field ${field} is not a valid email.`
export const notAnIpAddress = (field: string) => `This field ${field} is not a valid IP address.`
export const notValid = (field: string) => `${field} is not valid`

export const notOneLine = (field: string) =>
  `${field} is not valid: it has a line break, or a character that changes the direction of the text`
export const decimalComma = (field: string) => `${field} is not valid: write decimals with a point, such as 1.5`

export const notATag = (field: string) => `${field} is not valid: a tag has 1 to 40 characters and no comma`
export const notAVersionFilter = (field: string) => `${field} is not valid: say 2.4.1, before-2.4.1 or unknown`
export const tooManyTags = (field: string, most: number, count: number) =>
  `${field} would be ${count}: a device has at most ${most}`

export const mustBeOneOf = (field: string, values: readonly unknown[]) => `${field} must be one of ${values.join(', ')}`

/** Sentences of the API, for input that no form can produce. */
export const unknownField = (field: string) => `${field} is not a field of this call`
export const unknownParameter = (field: string) => `${field} is not a parameter of this call`
export const givenTwice = (field: string) => `${field} is given more than once`
export const differsInBody = (field: string) => `${field} differs between address and body`
export const tooManyFields = (most: number) => `body has more than ${most} fields`
export const tooManyFieldsOfOne = (most: number) => `body has more than ${most} fields in one object`
export const tooDeep = (most: number) => `body is nested deeper than ${most} levels`
