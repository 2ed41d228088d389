export function DefaultNote({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null
  return (
    <span className="setup-default" title="The device has never reported this value.">
      default
    </span>
  )
}
