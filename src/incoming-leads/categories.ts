/** Where an incoming lead comes from. Nothing creates one of the category mail: the server has no mail. */
export const categories = ['sip', 'mail', 'forms', 'chats'] as const
export type Category = (typeof categories)[number]

/** The categories that integrations can add. */
export type WrittenCategory = 'sip' | 'forms'

/** The categories whose incoming leads can be linked to an existing record. */
export const linkable: readonly string[] = ['chats', 'mail'] satisfies Category[]
