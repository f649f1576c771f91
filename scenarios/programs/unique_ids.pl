# The workload "unique-ids" in Perl, of its standard modules: an id is a peer's name and a number.
use strict;
use warnings;
use JSON::PP;

$| = 1;
my $json = JSON::PP->new->canonical;
my %count;
while (my $line = <STDIN>) {
  my $said = $json->decode($line);
  my ($from, $to, $body) = @$said{qw(src dest body)};
  next if $body->{type} eq 'time';
  my $answer;
  $answer = {type => 'init_ok', rhizome => 1} if $body->{type} eq 'init';
  $answer = {type => 'generate_ok', id => $to . '-' . ++$count{$to}} if $body->{type} eq 'generate';
  if ($answer) {
    $answer->{in_reply_to} = $body->{msg_id};
    print $json->encode({src => $to, dest => $from, body => $answer}), "\n";
  }
  print $json->encode({src => $to, dest => 'env', body => {type => 'idle'}}), "\n";
}
