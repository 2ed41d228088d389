/** These calls require a proof of the last 15 minutes, by hand and not from the contract: the two must agree. */
export const ALWAYS_FRESH: readonly string[] = [
  // They concern one's identity and sessions.
  'App/EndSession',
  'App/EndOtherSessions',
  'App/GetNewAuthenticator',
  'App/AddAuthenticator',
  'App/GetNewPasskey',
  'App/AddPasskey',
  'App/RemoveFactor',
  'App/RenewRecoveryCodes',
  // They release personal data.
  'App/DownloadPersonalData',
  'AppUser/DownloadPersonalData',
  'AppUser/ErasePersonalData',
  // They change the rights of others.
  'AppUser/SetAppUser',
  'AppUser/DelAppUser',
  'AppRole/DelAppUser',
  'AppUser/ResetFactors',
  'AppRole/SetAppRole',
  'AppRole/DelAppRole',
  'ApiToken/CreateToken',
  'SignInProvider/SetProvider',
  'SignInProvider/DeleteProvider',
  // They decide who gets in at all, and what everybody may see.
  'Customer/SetCustomer',
  'StatusPage/SetStatusPage',
  // They concern keys.
  'Device/DownloadConfiguration',
  'Device/RenewDeviceKey',
  'Channel/RotateSigningKey',
  'LightProof/RotateKey',
  'Claim/CreateKey',
  'Claim/AcceptAsDevices',
  'Claim/GiveRecord',
  // They delete devices, or change what runs on them.
  'Device/DelDevice',
  'Device/ImportDevices',
  'Device/UpdateClientVersion',
  'ClientUpdate/CreateUpdate',
  'ClientUpdate/ResumeUpdate',
  'ClientUpdate/RetryFailed',
  'Release/UploadRelease',
  'Release/DelRelease',
  // They turn off all displays of a country.
  'Country/SetHolidayList',
  'EmergencyDark/Start',
  // They export customers' data.
  'Device/GetDeviceListFull',
  'Device/GetDeviceFile',
  'Device/GetDeviceEvTypeRawDataV2Full',
  'EventType/GetDeviceEvTypeMsgDataFull',
]

/** These require it when a stored secret would go to another address. */
export const FRESH_TO_MOVE_SECRETS: readonly string[] = ['Channel/SetChannel', 'Device/SetDeviceDriver']

/** These change a device, and require it from the third device on. */
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
