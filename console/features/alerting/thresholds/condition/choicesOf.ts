export const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))
