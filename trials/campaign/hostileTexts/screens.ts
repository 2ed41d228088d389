import type { Page } from '@playwright/test'
import { CANARY_HOST } from './texts.ts'

const SHOWN_WITHIN_MS = 30_000
/** The tabs of the product over the list of devices, and the one that saves a view. */
const TABS_WITHOUT_WRITTEN = 5

/** Collects what must not happen in the page: dialogs, policy reports, requests elsewhere, script errors. */
export async function setTraps(page: Page, httpUrl: string): Promise<string[]> {
  const caught: string[] = []
  page.on('dialog', (dialog) => {
    caught.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (new URL(url).hostname === CANARY_HOST) caught.push(`request: ${url}`)
    else if (!url.startsWith(httpUrl) && !/^(data|blob):/.test(url)) caught.push(`fetched ${url}`)
  })
  page.on('pageerror', (error) => caught.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    const isRefusedCall = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusedCall) caught.push(`console: ${message.text()}`)
  })
  await page.exposeBinding('noteViolation', (_source, text: string) => void caught.push(`policy: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (text: string) => void }
      noteViolation(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  return caught
}

/** Opens a page, and waits until its data has loaded, with this text in it. */
async function visit(page: Page, path: string, text?: string): Promise<void> {
  const within = { timeout: SHOWN_WITHIN_MS }
  await page.goto(path)
  await page.getByRole('heading').first().waitFor(within)
  if (text !== undefined)
    await page
      .getByText(text)
      .first()
      .waitFor({ ...within, state: 'attached' })
  await page.waitForFunction(
    () => document.querySelector('.loading-skeleton, [aria-busy="true"]') === null,
    undefined,
    within,
  )
}

const json = (value: object) => encodeURIComponent(JSON.stringify(value))

export interface Written {
  readonly text: string
  readonly device: { readonly id: number; readonly guid: string }
  readonly userId: number
  readonly alertId: number
  readonly incidentId: number
}

/** Each text has a row in these lists. */
const NAMING_LISTS = [
  '/devices?sort=name',
  '/users',
  '/roles',
  '/customers',
  '/alerts?statusId=any',
  '/incidents?state=closed',
]
const LISTS = [
  ...['/overview', '/thresholds', '/analytics', '/light-statements', '/light-rules', '/energy', '/panel-life'],
  ...['/locations', '/visits'],
  ...[
    '/install',
    '/device-software/releases',
    '/device-software/rollouts',
    '/device-software/rollouts/new',
    '/maintenance-windows',
  ],
  ...['/notifications/channels', '/notifications/routes', '/status-pages', '/single-sign-on'],
]

/** Opens every list, with all that was written. */
export async function visitLists(page: Page, written: readonly Written[], auditPages: number): Promise<void> {
  const last = written.at(-1)?.text
  for (const path of NAMING_LISTS) await visit(page, path, last)
  for (const path of LISTS) await visit(page, path)
  await visit(page, '/devices')
  const tabs = page.getByRole('navigation', { name: 'Views' }).getByRole('button')
  await tabs.nth(TABS_WITHOUT_WRITTEN).waitFor()
  for (let number = 1; number <= auditPages; number += 1) await visit(page, `/audit-log?page=${number}`)
  await visit(page, `/audit-log?entityName=${encodeURIComponent(last ?? '')}`, last)
  await page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').first().locator('td').first().click()
  await page.getByRole('dialog', { name: 'Audit entry' }).waitFor()
}

/** Opens every page of one device, user and alert. */
export async function visitPages(page: Page, { device, userId, alertId, incidentId }: Written): Promise<void> {
  const tabs = [
    ...['status', 'status?view=raw&evTypeId=5', 'details', 'generic-setup', 'setup'],
    ...['device-components', 'alerts', 'maintenance'],
  ]
  for (const tab of tabs) await visit(page, `/devices/${device.guid}/${tab}`)
  await visit(page, `/thresholds?deviceId=${device.id}`)
  await visit(page, `/analytics?data=${json({ metric: { deviceId: device.id, metricId: 4101 } })}`)
  await visit(page, `/alerts/alert-details?data=${json({ id: alertId })}`)
  await visit(page, `/incidents/incident?data=${json({ id: incidentId })}`)
  await visit(page, `/users/user-details?data=${json({ id: userId })}`)
}

/** Opens the page where the text is most of the content, and an address that holds it. */
export async function visitText(page: Page, { text, device }: Written): Promise<void> {
  await visit(page, `/devices/${device.guid}/status?view=messages`, text)
  const path = ['/users/user-details', '/alerts/alert-details', '/analytics'][text.length % 3]
  await page.goto(`${path}?data=${encodeURIComponent(text)}&filter=${encodeURIComponent(text)}`)
  await page.getByRole('banner').waitFor()
}

/** @returns true when no text becomes markup here, and the traps catch what markup would do */
export async function doTrapsCatch(page: Page, texts: readonly string[], caught: readonly string[]): Promise<boolean> {
  await page.goto('/')
  const becameMarkup = await page.evaluate((all) => {
    const place = document.createElement('div')
    document.body.append(place)
    try {
      place.innerHTML = all.join('')
    } catch {
      return place.childElementCount > 0
    }
    return true
  }, texts)
  if (becameMarkup) return false
  await page.evaluate((host) => {
    const address = `https://${host}/`
    for (const name of ['img', 'iframe', 'video', 'audio'] as const) {
      const element = document.createElement(name)
      element.src = address
      document.body.append(element)
    }
    const sheet = document.createElement('link')
    Object.assign(sheet, { rel: 'stylesheet', href: address })
    document.head.append(sheet)
  }, CANARY_HOST)
  const isCaught = () => caught.filter((one) => one.startsWith('policy')).length > 3
  for (let looks = 0; looks < 100 && !isCaught(); looks += 1) await page.waitForTimeout(100)
  return isCaught()
}
