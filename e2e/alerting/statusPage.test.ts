import { violations } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'

const EMAIL = 'reader@outside.example'

test('a stranger opens the page of a customer without the console, and asks for mails by a press', async ({
  page,
  browser,
  system,
  signInAs,
  mailServer,
}) => {
  await signInAs('admin')
  await test.step('staff set what is seen', async () => {
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('link', { name: 'Status pages' }).click()
    await page.getByRole('button', { name: 'Edit Moravia City Media' }).click()
    const form = page.getByRole('dialog', { name: 'Status page of Moravia City Media' })
    await form.getByRole('combobox', { name: 'Who sees it' }).click()
    await page.getByRole('option', { name: /^Public/ }).click()
    await form.getByRole('textbox', { name: /Name in the address/ }).fill('moravia')
    await form.getByRole('textbox', { name: /^Title/ }).fill('Moravia: <stops> & more')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('row', { name: /Moravia City Media Public/ })).toBeVisible()
  })

  const context = await browser.newContext({ baseURL: system.httpUrl, colorScheme: 'dark' })
  const theirs = await context.newPage()
  const complaints: string[] = []
  theirs.on('console', (message) => complaints.push(message.text()))
  await test.step('they read it', async () => {
    await theirs.goto('/status/moravia')
    await expect(theirs.getByRole('heading', { name: 'Moravia: <stops> & more' })).toBeVisible()
    await expect(theirs.getByRole('heading', { name: 'Displays' })).toBeVisible()
    const background = await theirs.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    expect(background).toBe('rgb(11, 16, 22)')
    expect(await theirs.locator('script').count()).toBe(0)
    const feed = await theirs.evaluate(
      (xml) => {
        const read = new DOMParser().parseFromString(xml, 'application/xml')
        return read.querySelector('parsererror')?.textContent ?? read.querySelector('feed > title')?.textContent
      },
      await (await theirs.request.get('/status/moravia/feed.atom')).text(),
    )
    expect(feed).toBe('Moravia: <stops> & more')
    expect(await violations(theirs)).toEqual([])
  })

  await test.step('they get mails after a press on the page of the link', async () => {
    await theirs.getByLabel('E-mail address').fill(EMAIL)
    await theirs.getByRole('button', { name: 'Subscribe by e-mail' }).click()
    await expect(theirs.getByRole('heading', { name: 'Please look into your mail' })).toBeVisible()
    const link = () =>
      /https?:\/\/\S+\/status-mail\/[\w-]{43}\/confirm/.exec(
        mailServer.mails.findLast((one) => one.to.includes(EMAIL))?.readable ?? '',
      )?.[0] ?? ''
    await expect.poll(link, { timeout: 30_000 }).not.toBe('')
    await theirs.goto(link())
    await theirs.getByRole('button', { name: 'Confirm' }).click()
    await expect(theirs.getByRole('heading', { name: 'You get mails' })).toBeVisible()
    expect(await violations(theirs)).toEqual([])
  })
  expect(complaints).toEqual([])
  await context.close()
})
