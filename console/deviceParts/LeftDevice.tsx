const WHY = 'This device belongs to another customer now.'

/**
 * It shows the former name of a device that has left the customer, without a link, because there is nothing to open.
 */
export const LeftDevice = ({ name }: { readonly name: string }) => (
  <span title={WHY}>
    {name} <small>(left)</small>
  </span>
)
