const WHY = 'This device belongs to another customer now.'

/** The name is no link, because a device that has left the customer has no page to open. */
export const LeftDevice = ({ name }: { readonly name: string }) => (
  <span title={WHY}>
    {name} <small>(left)</small>
  </span>
)
