/** Password managers need a field of the username to know whose password they fill in or store. */
export function HiddenUsername({ username }: { readonly username: string }) {
  return (
    <input
      className="visually-hidden"
      type="text"
      autoComplete="username"
      value={username}
      readOnly
      tabIndex={-1}
      aria-hidden
    />
  )
}
