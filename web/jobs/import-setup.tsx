import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Import, type ImportPatch, type Job, setUpImport } from '../data/jobs.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { Section } from '../parts/layout/section.tsx'
import { DefaultsFields } from './defaults-fields.tsx'
import { DuplicatesFields } from './duplicates-fields.tsx'
import { MappingTable } from './mapping-table.tsx'
import { PreviewTable } from './preview-table.tsx'
import { StartBar } from './start-bar.tsx'

type Setup = Required<ImportPatch>

/** The setup of an import: columns, duplicates, defaults and a preview. */
export function ImportSetup({ job, file }: { job: Job; file: Import }) {
  const { t } = useTranslation()
  const { setup, change, pending } = useSetup(job, file)
  return (
    <>
      <Section title={t('import.mapping')} lead={t('import.mapping_lead')}>
        <MappingTable job={job} file={file} setup={setup} onChange={change} />
      </Section>
      {canRepeat(job, setup) && (
        <Section title={t('import.duplicates')} lead={t('import.duplicates_lead')}>
          <DuplicatesFields job={job} setup={setup} onChange={change} />
        </Section>
      )}
      <Section title={t('import.defaults')} lead={t('import.defaults_lead')}>
        <DefaultsFields job={job} setup={setup} onChange={change} />
      </Section>
      <Section title={t('import.preview')} lead={t('import.preview_lead')}>
        <PreviewTable job={job} file={file} stored={storedOf(file)} isOutdated={pending} />
      </Section>
      <StartBar job={job} isReady={!pending && setup.mapping.length > 0} />
    </>
  )
}

/** Leads are only matched by id: without an id column, each row is a new lead. */
const canRepeat = ({ entity_type }: Job, { mapping }: Setup) =>
  entity_type !== 'leads' || mapping.some(({ target }) => target === 'id')

const storedOf = ({ mapping, duplicates, dates, defaults }: Import): Setup => ({
  mapping,
  duplicates,
  dates,
  defaults,
})

/** Applies a choice immediately and stores it; a rejected choice is reverted. */
function useSetup(job: Job, file: Import) {
  const stored = storedOf(file)
  const [asked, setAsked] = useState<ImportPatch>({})
  const patch = useAction(setUpImport(job.id))
  const change = (some: ImportPatch) => {
    const all = { ...(patch.pending ? asked : {}), ...some }
    setAsked(all)
    patch.run(some, () => setAsked((now) => (now === all ? {} : now)))
  }
  const setup: Setup = { ...stored, ...(patch.pending ? asked : {}) }
  return { setup, change, pending: patch.pending }
}

export interface SetupProps {
  job: Job
  setup: Setup
  onChange: (patch: ImportPatch) => void
}
