import { join } from 'node:path'

/** The file of the embedded database in a data folder. */
export const fileIn = (data_dir: string): string => join(data_dir, 'patchbay.db')
