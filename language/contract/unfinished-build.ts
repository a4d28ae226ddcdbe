/** A file in a generated folder while a build writes it: with it the other files are of two builds, or not all there. */
export const unfinishedBuild = 'build.unfinished';
