import axe from 'axe-core'

/** What axe finds wrong with a drawn piece, in short; colours and sizes need a real browser and are judged there. */
export async function axeFindings(element: Element): Promise<readonly string[]> {
  const { violations } = await axe.run(element, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    resultTypes: ['violations'],
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
