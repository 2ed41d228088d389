import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, expect } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { NEVER_OFF } from '#console/deviceParts/settings/offGroups.ts'
import { DEVICE_GUID, deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { type DeviceComponent, deviceComponent, listDeviceComponents } from '#contract/http/devices/components.ts'
import {
  deviceSettingsView,
  getDeviceLocalSettings,
  getDeviceSettings,
  type SettingSection,
} from '#contract/http/devices/setup.ts'
import { getDeviceState } from '#contract/http/devices/status.ts'
import { getFeedChain } from '#contract/http/insight/feedChain.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { type Feeds, withFeeds } from '#domain/darkness/configuredFeeds.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import { RestartButton } from '../power/RestartButton.tsx'
import { GenericSetupTab, SetupTab } from '../SetupTab.tsx'

type Values = Readonly<Record<string, number | string>>

export const HEALTHY: Values = {
  d_backlight_level: 80,
  d_brightness: 45,
  d_contrast: 62,
  d_gamma_value: 2.4,
  d_red_color_balance: 51,
  d_green_color_balance: 52,
  d_blue_color_balance: 53,
  d_touch_matrix_status: 'Driver is running',
  d_ambient_light: 1000,
  d_backlight_automatic_status: 1,
  d_min_backlight: 20,
  d_max_backlight: 90,
  d_min_ambient_light: 100,
  d_max_ambient_light: 20_000,
  u_status: 'on line interactive normal',
  u_battery_charge: 97,
  ps_port1_status: 1,
  ps_port2_status: 0,
}

export const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

let nextComponentId = 1
export function componentOf(
  modelId: number,
  number: number,
  changes: Partial<Record<keyof DeviceComponent, unknown>> = {},
): DeviceComponent {
  return deviceComponent.parse({
    id: nextComponentId++,
    deviceId: 1,
    modelId,
    categoryId: componentModelById(modelId)?.categoryId,
    number,
    label: '',
    labelReset: '',
    labelPort1: '',
    labelPort2: '',
    optionPort1: '',
    optionPort2: '',
    als: null,
    touchMatrix: null,
    jsonSettings: null,
    removed: false,
    event_type_id: null,
    category: '',
    touch_matrix: null,
    ...{ isExpected: false, unusedPorts: [] },
    ...changes,
  })
}

export function sectionOf(changes: Partial<SettingSection> & Pick<SettingSection, 'section'>): SettingSection {
  return {
    number: 1,
    desired: null,
    desiredAt: null,
    desiredBy: null,
    reported: null,
    reportedAt: null,
    reason: null,
    refusal: null,
    ...changes,
  }
}

type SettingsView = AnswerOf<typeof getDeviceSettings>

/** It opens a page of one healthy device of model 1, with a server that answers as the test says. */
export function setupTest() {
  const { server, open } = screenTest()
  let version = 1
  const journey = {
    server,
    device: deviceOf(),
    user: userEvent.setup(),
    reports(values: Values, at = secondsAgo(5)) {
      server.answer(getDeviceState, { ...values, device_dt: at } as AnswerOf<typeof getDeviceState>)
    },
    hasNeverReported() {
      server.answer(getDeviceState, { device_dt: null } as AnswerOf<typeof getDeviceState>)
    },
    settings(sections: readonly SettingSection[] = [], changes: Partial<Record<keyof SettingsView, unknown>> = {}) {
      const view = {
        ...{ deviceId: 1, version: ++version, versionsUsedUpSince: null, timeZone: 'Europe/Prague', isOnline: true },
        holidays: [],
      }
      const place = {
        position: { latitude: 50.08, longitude: 14.43 },
        knowsDayPlans: true,
        knowsBatteryTests: true,
        knowsDataBudgets: true,
      }
      server.answer(getDeviceSettings, deviceSettingsView.parse({ ...view, ...place, sections, ...changes }))
    },
    components(list: readonly DeviceComponent[]) {
      server.answer(listDeviceComponents, [...list])
      journey.feeds({}, list)
    },
    feeds(feeds: Feeds, list: readonly DeviceComponent[] | undefined = undefined) {
      const { modelId } = journey.device
      const components = list?.map((it) => ({ ...it, componentModelId: it.modelId })) ?? standardComponents(modelId)
      const { parts, uplink } = withFeeds(defaultFeedChain(modelId, components), feeds)
      const wire = parts.map((part) => ({
        ...part,
        fedBy: part.fedBy ?? null,
        defaultFedBy: part.defaultFedBy ?? null,
      }))
      server.answer(getFeedChain, getFeedChain.answer.parse({ parts: wire, uplink }))
    },
    async open(tab: 'setup' | 'generic-setup') {
      const Page = ({ children }: { readonly children: ReactNode }) => (
        <OpenDevice.Provider value={journey.device}>
          <RestartButton />
          {children}
        </OpenDevice.Provider>
      )
      const tabs = { setup: SetupTab, 'generic-setup': GenericSetupTab }
      return open(`/devices/${DEVICE_GUID}/${tab}`, { '/devices/$guid': { screen: Page, tabs } })
    },
    async reportsLive(values: Values, at = secondsAgo(0)) {
      // A stream that the previous test has lost comes back after a pause.
      await waitFor(() => expect(server.watched()).toMatchObject({ stateDeviceIds: [1] }))
      const readings = Object.entries(values).map(([name, field_value]) => ({
        field_id: NUMBERED_FIELDS.find(({ wireName }) => wireName === name)?.id,
        field_value,
        value_dt: at,
      }))
      server.emit('state', { deviceId: 1, values: readings })
    },
  }
  beforeEach(() => {
    version = 1
    journey.device = deviceOf()
    journey.user = userEvent.setup()
    journey.reports(HEALTHY)
    journey.settings()
    journey.feeds({})
    server.answer(getDeviceLocalSettings, NEVER_OFF)
  })
  return journey
}

/** It opens a section by its link, as one section is shown at a time. */
export async function panel(name: string) {
  const shown = screen.queryByRole('region', { name })
  if (!shown) {
    const link = await screen.findByRole('link', { name: new RegExp(`^${RegExp.escape(name)}`) })
    act(() => link.click())
  }
  const section = within(await screen.findByRole('region', { name }))
  // Most sections load after the page.
  await waitFor(() => expect(section.queryByRole('status', { name: 'Loading' })).toBeNull())
  return section
}

/** The panel beside the sections, which is always shown. */
export const weekAhead = async () =>
  within(await screen.findByRole('region', { name: 'What the display will do' })).getByRole('img')
