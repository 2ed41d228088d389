const WHY = 'This device belongs to another customer now.'

/** The name of a device that left one's customer: as it was then, and no link, for there is nothing to open. */
export const LeftDevice = ({ name }: { readonly name: string }) => (
  <span title={WHY}>
    {name} <small>(left)</small>
  </span>
)
