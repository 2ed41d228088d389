/** These functions run within the page, so they take nothing from outside themselves. */

export interface Columns {
  readonly names: readonly string[]
  readonly latitudes: readonly number[]
  readonly longitudes: readonly number[]
  readonly statusIds: readonly number[]
}

declare global {
  interface Window {
    benchShow: (columns: Columns) => void
  }
}

interface Stroke {
  readonly strokes: number
  readonly frames: number
  readonly stepPx: number
}

/** Drags the map to and fro by the mouse, a step in every frame; returns the time between frames in ms. */
export async function dragMap({ strokes, frames, stepPx }: Stroke): Promise<number[]> {
  const stage = document.querySelector('.leaflet-container') as HTMLElement
  const { left, top, width, height } = stage.getBoundingClientRect()
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const mouse = (type: string, target: EventTarget, x: number) =>
    target.dispatchEvent(
      new MouseEvent(type, { clientX: x, clientY: top + height / 2, button: 0, bubbles: true, cancelable: true }),
    )
  const place = () => stage.querySelector('.leaflet-map-pane')?.getAttribute('style')
  const begin = place()
  const times: number[] = []
  for (let stroke = 0; stroke < strokes; stroke++) {
    const direction = stroke % 2 === 0 ? 1 : -1
    let x = left + width / 2
    mouse('mousedown', stage.querySelector('.leaflet-map-pane') as HTMLElement, x)
    let last = await frame()
    for (let step = 0; step < frames; step++) {
      x += direction * stepPx
      mouse('mousemove', document, x)
      const at = await frame()
      times.push(at - last)
      last = at
    }
    mouse('mouseup', document, x)
    if (stroke === 0 && place() === begin) throw new Error('The map does not follow the mouse.')
    // It includes coming to rest, when what is in view is drawn and listed.
    const at = await frame()
    times.push(at - last, (await frame()) - at)
  }
  return times
}

/** Zooms in by the button of the map, where single pins come and go while it is dragged. */
export async function lookCloser(times: number): Promise<void> {
  for (let step = 0; step < times; step++) {
    document.querySelector<HTMLElement>('.leaflet-control-zoom-in')?.click()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** Waits from the end of the newest answer with pins until the frame after a change on the map. */
export async function drawnAfterAnswer(): Promise<number> {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  while (!document.querySelector('.map-item')) await frame()
  await frame()
  const answers = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const answered = answers.filter(({ name }) => name.includes('GetDevicePins')).at(-1)?.responseEnd ?? 0
  return performance.now() - answered
}

/** Types into the name of the filter bar and waits until the counts under the title show the new number. */
export async function filterConsole({ name, shows }: { name: string; shows: string }): Promise<number> {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const field = document.querySelector('.filter-bar input[aria-label="Name"]') as HTMLInputElement
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  field.focus()
  setValue?.call(field, name)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await frame()
  const beganAt = performance.now()
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  while (!document.querySelector('.screen-subtitle')?.textContent?.startsWith(shows)) await frame()
  await frame()
  return performance.now() - beganAt
}

/** Draws bare Leaflet in place of the console, with a circle on a canvas for each device, and no base map. */
export function drawBare() {
  const { width, height } = (document.querySelector('.leaflet-container') as HTMLElement).getBoundingClientRect()
  const host = document.createElement('div')
  host.style.cssText = `width: ${width}px; height: ${height}px`
  document.body.replaceChildren(host)
  // biome-ignore lint/suspicious/noExplicitAny: the library as a script gives no types here
  const { L } = globalThis as any
  const map = L.map(host, { preferCanvas: true, zoomAnimation: false }).setView([49.8, 15.5], 4)
  let group = L.layerGroup().addTo(map)
  window.benchShow = ({ names, latitudes, longitudes, statusIds }) => {
    group.remove()
    group = L.layerGroup(
      names.map((name, index) =>
        L.circleMarker([latitudes[index], longitudes[index]], {
          radius: 6,
          color: statusIds[index] === 2 ? 'green' : 'red',
          title: name,
        }),
      ),
    ).addTo(map)
  }
}

/** Loads the pins as the console does, and shows them by the bare library. */
export async function showBare(query: string): Promise<{ fromAskingMs: number; fromAnswerMs: number }> {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const { accessToken } = JSON.parse(localStorage.getItem('wayside.session') ?? '{}')
  const beganAt = performance.now()
  const answer = await fetch(`/api/Device/GetDevicePins?${query}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const columns = (await answer.json()) as Columns
  const answers = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const answeredAt = answers.filter(({ name }) => name.includes('GetDevicePins')).at(-1)?.responseEnd ?? 0
  window.benchShow(columns)
  await frame()
  await frame()
  return { fromAskingMs: performance.now() - beganAt, fromAnswerMs: performance.now() - answeredAt }
}
