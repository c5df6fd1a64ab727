import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { query } from '../../api/client.ts'
import type { Search } from '../filters/filter.ts'
import { delimiterIn } from '../texts/numbers.ts'
import { useLocale } from '../texts/region.ts'

interface ExportProps {
  /** Relative to `/web/v4`: `leads`, `events`, `catalogs/12/elements`. */
  path: string
  /** The query parameters of the list, so that the export has the same records. */
  search: Search
}

const formats = ['csv', 'ndjson'] as const

/** Menu items that download a whole list as a file. */
export function ExportItems({ path, search }: ExportProps) {
  const { t, i18n } = useTranslation()
  // A person opens a table in a spreadsheet. Programs read the other form.
  const table = { delimiter: delimiterIn(useLocale()), headings: i18n.language }
  return formats.map((format) => (
    <Menu.Item
      key={format}
      component="a"
      href={`/web/v4/${path}${query({ ...asked(search), format, ...(format === 'csv' && table) })}`}
      download
    >
      {t(`export.${format}`)}
    </Menu.Item>
  ))
}

/** Keeps the parameters that the API knows. */
const asked = (search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([name]) => /^(?:query$|filter\[|order\[)/.test(name)))
