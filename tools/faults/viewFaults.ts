import type { Fault } from './fault.ts'

export const VIEW_FAULTS: readonly Fault[] = [
  {
    name: 'A file of the fleet holds devices that went while it was written',
    file: 'server/features/devices/list/deviceTexts.store.ts',
    replace: 'on device.id = wanted.id and ${deviceExists(scope)}',
    by: 'on device.id = wanted.id',
    foundBy: ['server/features/devices/list/deviceList.test.ts'],
  },
  {
    name: 'A shared view says what it seeks at a customer that its reader may not see',
    file: 'server/features/devices/views/viewRights.ts',
    replace: 'return isLost ?',
    by: 'return isLost && caller.customerId === undefined ?',
    foundBy: ['server/features/devices/views/views.test.ts'],
  },
  {
    name: 'Views of everybody are in the list of everybody',
    file: 'server/features/devices/views/views.store.ts',
    replace: 'where ${condition} order by',
    by: 'where ${condition} or true order by',
    foundBy: ['server/features/devices/views/views.test.ts'],
  },
  {
    name: 'Whoever reads a view of their customer may delete it',
    file: 'server/features/devices/views/viewRights.ts',
    replace: "return isOfCustomer && isAllowed('admin', caller)",
    by: 'return isOfCustomer',
    foundBy: ['server/features/devices/views/views.test.ts'],
  },
  {
    name: 'A page opens before it is known which view it opens with',
    file: 'console/pickers/views/EnterByView.tsx',
    replace: 'if (isIn || isPending) return',
    by: 'if (isIn) return',
    foundBy: ['console/features/devices/list/deviceViews.test.tsx'],
  },
  {
    name: 'What a client says while it is updated is found by nobody until it reports',
    file: 'server/rollouts/clientProgress.ts',
    replace: 'update device_now set client_version = $2',
    by: 'update device_now set client_version = nullif($2, $2)',
    foundBy: ['server/features/devices/list/deviceVersions.test.ts'],
  },
  {
    name: 'Versions are compared as texts when devices with older ones are listed',
    file: 'domain/releases/versionFilter.ts',
    replace: 'compareVersions(one, version) < 0',
    by: 'one < version',
    foundBy: ['domain/releases/versionFilter.test.ts', 'server/features/devices/list/deviceVersions.test.ts'],
  },
  {
    name: 'A popover that fades away keeps the search from who presses Ctrl K',
    file: 'console/app/palette/useKeys.ts',
    replace: "element.style.opacity === '0'",
    by: 'false',
    foundBy: ['console/app/palette/CommandPalette.test.tsx'],
  },
  {
    name: 'What the legend hides stands in the table and the file of the chart',
    file: 'console/features/insight/analytics/read/useShownReadings.ts',
    replace: 'series.filter((one) => !isHidden(one, hidden))',
    by: 'series.filter((one) => !isHidden(one, hidden) || true)',
    foundBy: [
      { file: 'console/features/insight/analytics/AnalyticsScreen.test.tsx', title: 'a link with a hidden metric' },
    ],
  },
  {
    name: 'A name in the legend hides its own line and leaves the others',
    file: 'console/ui/chart/series/shownSeries.ts',
    replace: 'keys.filter((one) => one !== key)',
    by: 'keys.filter((one) => one === key)',
    foundBy: ['console/ui/chart/series/shownSeries.test.ts'],
  },
]

export const TAG_FAULTS: readonly Fault[] = [
  {
    name: 'A tag in other letters is another tag',
    file: 'domain/devices/tags.ts',
    replace: '.toUpperCase().toLowerCase()',
    by: '',
    foundBy: ['domain/devices/tags.test.ts', 'server/features/devices/list/deviceTags.test.ts'],
  },
  {
    name: 'A device brings the words of its customer to the next',
    file: 'server/features/devices/details/changeDetails.ts',
    replace: 'return { tags: [] }',
    by: 'return {}',
    foundBy: ['server/features/devices/list/deviceTags.test.ts'],
  },
  {
    name: 'A device that has twenty tags gets one more',
    file: 'server/features/devices/details/changeDetails.ts',
    replace: 'if (tags.length > MOST_TAGS)',
    by: 'if (tags.length > MOST_TAGS + 1)',
    foundBy: ['server/features/devices/list/deviceTags.test.ts'],
  },
  {
    name: 'Devices of any of the tags are listed, not those of all',
    file: 'server/features/devices/list/deviceList.store.ts',
    replace: 'device.tag_keys @> ',
    by: 'device.tag_keys && ',
    foundBy: ['server/features/devices/list/deviceTags.test.ts'],
  },
  {
    name: 'Devices are not found by their tags',
    file: 'server/fleet/searchTexts.ts',
    replace: "tags: tags.split('\\n')",
    by: 'tags: []',
    foundBy: ['server/features/devices/list/deviceTags.test.ts'],
  },
]
