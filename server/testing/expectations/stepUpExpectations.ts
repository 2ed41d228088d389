/** Calls that ask for a proof of the last 15 minutes, by hand and not from the contract: the two must agree. */
export const ALWAYS_FRESH: readonly string[] = [
  // Who one is, and where one is signed in.
  'App/EndSession',
  'App/EndOtherSessions',
  'App/GetNewAuthenticator',
  'App/AddAuthenticator',
  'App/GetNewPasskey',
  'App/AddPasskey',
  'App/RemoveFactor',
  'App/RenewRecoveryCodes',
  // What is kept about people.
  'App/DownloadPersonalData',
  'AppUser/DownloadPersonalData',
  'AppUser/ErasePersonalData',
  // What others may do.
  'AppUser/SetAppUser',
  'AppUser/DelAppUser',
  'AppRole/DelAppUser',
  'AppUser/ResetFactors',
  'AppRole/SetAppRole',
  'AppRole/DelAppRole',
  'ApiToken/CreateToken',
  'SignInProvider/SetProvider',
  'SignInProvider/DeleteProvider',
  // Who is let in at all, and what everybody may see.
  'Customer/SetCustomer',
  'StatusPage/SetStatusPage',
  // Keys.
  'Device/DownloadConfiguration',
  'Device/RenewDeviceKey',
  'Channel/RotateSigningKey',
  // Devices that are gone, and what runs on them.
  'Device/DelDevice',
  'Device/UpdateClientVersion',
  'ClientUpdate/CreateUpdate',
  'ClientUpdate/ResumeUpdate',
  'ClientUpdate/RetryFailed',
  'Release/UploadRelease',
  'Release/DelRelease',
  // On which days all displays of a country are off.
  'Country/SetHolidayList',
  // Customers' data that leaves.
  'Device/GetDeviceListFull',
  'Device/GetDeviceEvTypeRawDataV2Full',
  'EventType/GetDeviceEvTypeMsgDataFull',
]

/** Those that ask for it where a secret that is kept would go to another address. */
export const FRESH_TO_MOVE_SECRETS: readonly string[] = ['Channel/SetChannel', 'Device/SetDeviceDriver']

/** Those that ask for it from the third device on: whatever changes a device. */
export const FRESH_OF_SEVERAL: readonly string[] = [
  'Device/SetDeviceDetails',
  'Device/ChangeDeviceTags',
  'Device/SetDeviceComponents',
  'Device/SetDeviceDriver',
  'Device/SetFeedChain',
  'Device/SetDeviceStatus',
  'Device/ApplyDisplaySettings',
  'Device/ApplyAmbientSensorSettings',
  'Device/ApplyDayPlanSettings',
  'Device/ApplyTurnDisplayOffSettings',
  'Device/ApplyBatteryTestSettings',
  'Device/ApplyDataBudgetSettings',
  'Device/UpsReboot',
  'Device/UpsShutdown',
  'Device/UpsGroup1Reset',
  'Device/UpsGroup2Reset',
  'Device/Router1Reset',
  'Device/Router2Reset',
  'Device/PowerSwitch1TurnOn',
  'Device/PowerSwitch1TurnOff',
  'Device/PowerSwitch1Reset',
  'Device/PowerSwitch2TurnOn',
  'Device/PowerSwitch2TurnOff',
  'Device/PowerSwitch2Reset',
  'Device/ResetNetworkRouterWithRelay',
  'Device/ResetNetworkRouterWithRelayPort',
  'Device/SetNetworkRouterWithRelayOnOff',
  'Device/ResetNetworkRelay',
  'Device/SetNetworkRelayOnOff',
  'Device/UpsBatteryTest',
  'Device/RestartComputer',
  'Device/TestDeviceDriver',
]
