import { expect, test } from 'vitest'
import type { PinCluster } from './pinClusters.ts'
import { clusterName, clusterPicture } from './pinIcons.ts'

const HEALTHS = { dark: 1, silent: 0, warned: 0, unknown: 0, maintained: 0, fine: 1233 }

test('a cluster is read by its name alone: its number and its badge would be one number', () => {
  const cluster: PinCluster = {
    clusterId: 1,
    latitude: 0,
    longitude: 0,
    count: 1234,
    activeAlerts: 1,
    healths: HEALTHS,
  }
  const picture = clusterPicture(cluster)
  expect(picture.textContent).toBe('1.2k')
  expect(picture.querySelector<HTMLElement>('.map-alerts')?.dataset.count).toBe('1')
  expect(picture.getAttribute('aria-hidden')).toBe('true')
  expect(clusterName(cluster)).toBe('1.2k devices (1,234), 1 dark, 1 alert')
})
