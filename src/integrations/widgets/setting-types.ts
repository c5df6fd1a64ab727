/** The types of the settings of widgets (docs/wire/widgets.md). */
export const settingTypes = ['text', 'pass', 'custom', 'users', 'users_lp'] as const
export type SettingType = (typeof settingTypes)[number]
