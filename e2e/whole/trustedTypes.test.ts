import { expect, test } from '../support/journey.ts'

test('no text becomes markup or a script, whoever writes it, and the pages of the console need none', async ({
  page,
  signInAs,
  complaints,
}) => {
  await signInAs('admin', '/locations')
  // Leaflet draws this; the other journeys see every page, and fail at a report.
  await expect(page.getByRole('button', { name: 'Zoom in' })).toHaveText('+')
  await expect(page.locator('.map-item').first()).toBeVisible()
  expect(complaints).toEqual([])

  const refused = await page.evaluate(() => {
    const element = document.body.appendChild(document.createElement('div'))
    const said = (act: () => void) => {
      try {
        act()
        return 'done'
      } catch (thrown) {
        return (thrown as Error).name
      }
    }
    const policies = (window as unknown as { trustedTypes: { createPolicy: (name: string, rules: object) => unknown } })
      .trustedTypes
    const tries = {
      markup: said(() => {
        element.innerHTML = '<img src="x" alt="" onerror="document.title = 1">'
      }),
      inserted: said(() => element.insertAdjacentHTML('beforeend', '<b>bold</b>')),
      framed: said(() => {
        document.createElement('iframe').srcdoc = '<p>framed</p>'
      }),
      script: said(() => {
        document.createElement('script').text = 'document.title = 2'
      }),
      scriptFile: said(() => {
        document.createElement('script').src = '/theme.js'
      }),
      otherPolicy: said(() => policies.createPolicy('other', { createHTML: (text: string) => text })),
      secondDefault: said(() => policies.createPolicy('default', { createHTML: (text: string) => text })),
      text: said(() => {
        element.innerHTML = 'as it is'
      }),
    }
    return { ...tries, left: element.innerHTML }
  })
  expect(refused).toEqual({
    markup: 'TypeError',
    inserted: 'TypeError',
    framed: 'TypeError',
    script: 'TypeError',
    scriptFile: 'TypeError',
    otherPolicy: 'TypeError',
    secondDefault: 'TypeError',
    text: 'done',
    left: 'as it is',
  })
  // The browser has reported each of them.
  expect(complaints.length).toBeGreaterThan(5)
  complaints.length = 0
})
