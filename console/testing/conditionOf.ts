import { type AlertCondition, alertCondition } from '#contract/http/alerting/thresholds.ts'
import { conditionTitle } from '#domain/alerts/conditionTitle.ts'

const CONDITION = 'Display: Internal temperature (°C) > 60'

export const conditionOf = (changes: Partial<Record<keyof AlertCondition, unknown>> = {}): AlertCondition =>
  alertCondition.parse({
    id: 5,
    eventTypeFieldId: 4101,
    operatorId: 1,
    operatorCode: 'GT',
    operatorName: 'greater than',
    valueDec: 60,
    valueText: null,
    periodId: 1,
    actionTypeId: 1,
    deviceId: 1,
    modelId: null,
    fieldName: 'Internal temperature',
    fieldType: 'Number',
    fieldGroupId: 4,
    attTypeId: 1,
    conditionText: CONDITION,
    title: null,
    shownTitle: conditionTitle(String(changes.conditionText ?? CONDITION)),
    kind: 'level',
    severityId: 2,
    clearDec: null,
    minutes: null,
    joinedBy: null,
    secondFieldId: null,
    secondOperatorId: null,
    secondValueDec: null,
    secondValueText: null,
    customerId: null,
    tag: null,
    allDevices: false,
    placeName: 'Praha 0001',
    overridesId: null,
    isOff: false,
    deviceCount: 1,
    overriddenCount: 0,
    ...changes,
  })
