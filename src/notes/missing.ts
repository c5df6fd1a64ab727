export const NO_NOTE = 'There is no such note.'

export const NO_FILE = 'There is no such file in the file service of this account.'
