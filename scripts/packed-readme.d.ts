export function packedReadme(text: string, page: string | undefined): string
