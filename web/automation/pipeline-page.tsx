import { PipelinePage } from '../pipelines/pipeline-page.tsx'
import { AutomationSection } from './automation-section.tsx'

/** The page of a pipeline, with its automation below the stages. */
export const AutomatedPipelinePage = () => (
  <PipelinePage below={(pipeline) => <AutomationSection pipeline={pipeline} />} />
)
